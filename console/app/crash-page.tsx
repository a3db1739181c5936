import { CircleAlert } from "lucide-react";
import { Button } from "#console/ui/button.tsx";
import { Empty } from "#console/ui/panel.tsx";
import { appTexts as texts } from "#texts/app.ts";

/** In the place of a page that broke; most often its code is gone from a server that was updated meanwhile. */
export const CrashPage = ({ error }: { readonly error: unknown }) => (
  <div role="alert">
    <Empty
      icon={<CircleAlert aria-hidden />}
      title={texts.crashed}
      action={
        <Button look="primary" onClick={() => location.reload()}>
          {texts.reload}
        </Button>
      }
    >
      {texts.crashedNote}
      {error instanceof Error && (
        <span className="mt-2 block font-mono text-xs break-words text-faint">{error.message}</span>
      )}
    </Empty>
  </div>
);
