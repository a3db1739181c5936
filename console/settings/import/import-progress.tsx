import { useWorkspace } from "#console/api/session.tsx";
import { useChange } from "#console/api/use-change.ts";
import { Button } from "#console/ui/button.tsx";
import { formatExact } from "#console/ui/format.ts";
import { Section } from "#console/ui/section.tsx";
import { cancelImport, type Import } from "#contract/console/imports.ts";
import { importTexts as texts } from "#texts/imports.ts";
import { shareOf } from "./import-state.ts";

/** How far an import is. It goes on when the page is left. */
export function ImportProgress({ found }: { readonly found: Import }) {
  const { call } = useWorkspace();
  const cancel = useChange(() => call(cancelImport, { params: { id: found.id } }), { refreshes: ["imports"] });
  const share = shareOf(found);
  const { read, links, counts, state } = found;
  const isRunning = state === "running";
  return (
    <Section title={texts.steps[state]} note={texts.goesOn}>
      <progress
        aria-label={texts.steps[state]}
        {...(share !== null && { value: share, max: 1 })}
        className="usage-bar text-accent"
      />
      <p role="status" className="mt-2 text-sm text-soft tabular-nums">
        {isRunning
          ? texts.runProgress(links.done, read.links, counts.clicks)
          : texts.readProgress(read.links, formatExact(read.counts))}
      </p>
      {state !== "undoing" && (
        <div className="mt-4">
          <Button busy={cancel.isPending} onClick={() => cancel.mutate()}>
            {texts.cancel}
          </Button>
        </div>
      )}
    </Section>
  );
}
