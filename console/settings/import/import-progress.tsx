import { useWorkspace } from "#console/api/session.tsx";
import { useChange } from "#console/api/use-change.ts";
import { Button } from "#console/ui/button.tsx";
import { Section } from "#console/ui/section.tsx";
import { cancelImport, type Import } from "#contract/console/imports.ts";
import { importTexts as texts } from "#texts/imports.ts";
import { shareOf } from "./import-state.ts";
import { progressWords } from "./progress-words.ts";

/** How far an import is. It goes on when the page is left. */
export function ImportProgress({ found }: { readonly found: Import }) {
  const { call } = useWorkspace();
  const cancel = useChange(() => call(cancelImport, { params: { id: found.id } }), { refreshes: ["imports"] });
  const share = shareOf(found);
  const { state } = found;
  const { note, status } = progressWords(found);
  return (
    <Section title={texts.steps[state]} note={note}>
      <progress
        aria-label={texts.steps[state]}
        {...(share !== null && { value: share, max: 1 })}
        className="usage-bar text-accent"
      />
      <p role="status" className="mt-2 text-sm text-soft tabular-nums">
        {status}
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
