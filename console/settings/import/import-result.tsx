import { Link } from "@tanstack/react-router";
import { type FormEvent, useState } from "react";
import { useWorkspace } from "#console/api/session.tsx";
import { useChange } from "#console/api/use-change.ts";
import { Button, buttonClasses } from "#console/ui/button.tsx";
import { ConfirmDialog } from "#console/ui/confirm-dialog.tsx";
import { TextField } from "#console/ui/field.tsx";
import { Section } from "#console/ui/section.tsx";
import { type Import, runImport, undoImport } from "#contract/console/imports.ts";
import { importTexts as texts } from "#texts/imports.ts";
import { mustStartAgain, needsTokenAgain } from "./import-state.ts";
import { OutcomeList } from "./outcome-list.tsx";
import { ProblemsButton } from "./problems-button.tsx";

/** What came of an import, and the ways on and back. */
export function ImportResult({ found }: { readonly found: Import }) {
  const { account } = useWorkspace();
  const { state, problem, links, counts, read, options } = found;
  return (
    <Section title={texts.results[state] ?? state} tone={state === "failed" ? "bad" : "plain"}>
      {problem !== null && (
        <p role="alert" className="mb-5 rounded-lg bg-bad-soft px-3 py-2 text-sm text-bad">
          {texts.problem(problem)}
        </p>
      )}
      {state === "undone" ? (
        <OutcomeList outcomes={[{ label: texts.outcomes.erased, count: found.erased_links, always: true }]} />
      ) : (
        <OutcomeList
          outcomes={[
            { label: texts.outcomes.created, count: links.created, tone: "good", always: true },
            { label: texts.outcomes.clicks, count: counts.clicks },
            { label: texts.outcomes.renamed, count: links.renamed, note: texts.outcomes.renamedNote },
            { label: texts.outcomes.before, count: links.imported_before, note: texts.outcomes.beforeNote },
            {
              label: texts.outcomes.conflicts,
              count: links.conflicts,
              note: texts.outcomes.conflictsNote,
              tone: "warn",
            },
            { label: texts.outcomes.refused, count: links.refused + read.unreadable, tone: "bad" },
            { label: texts.outcomes.skipped, count: counts.skipped, note: skippedNote(found) },
          ]}
        />
      )}
      <div className="mt-6 flex flex-wrap items-center gap-3">
        {links.created > 0 && state !== "undone" && (
          <Link
            to="/a/$account/links"
            params={{ account: account.id }}
            search={options.tag === null ? {} : { tag: [options.tag] }}
            className={buttonClasses({ look: "primary" })}
          >
            {texts.showLinks}
          </Link>
        )}
        {mustStartAgain(found) ? (
          <Link
            to="/a/$account/settings/import"
            params={{ account: account.id }}
            search={{ source: found.source }}
            className={buttonClasses({ look: "primary" })}
          >
            {texts.startAgain}
          </Link>
        ) : (
          found.can_resume && <ResumeForm found={found} />
        )}
        <ProblemsButton found={found} />
        {found.can_undo && <UndoButton found={found} />}
      </div>
    </Section>
  );
}

/** Undoing helps only if an earlier import has created the links. */
const skippedNote = ({ links }: Import): string =>
  [texts.outcomes.skippedNote, ...(links.imported_before > 0 ? [texts.outcomes.skippedBeforeNote] : [])].join(" ");

/** Whatever was being read needs its token again: no one has kept it. */
function ResumeForm({ found }: { readonly found: Import }) {
  const { call } = useWorkspace();
  const [token, setToken] = useState("");
  const needsToken = needsTokenAgain(found);
  const resume = useChange(() => call(runImport, { params: { id: found.id }, body: token === "" ? {} : { token } }), {
    refreshes: ["imports"],
  });
  function submit(event: FormEvent): void {
    event.preventDefault();
    resume.mutate();
  }
  return (
    <form onSubmit={submit} className="flex flex-wrap items-end gap-3">
      {needsToken && (
        <TextField
          label={texts.tokenAgain}
          type="password"
          autoComplete="off"
          required
          value={token}
          onChange={({ target }) => setToken(target.value)}
        />
      )}
      <Button type="submit" look="primary" busy={resume.isPending}>
        {texts.resume}
      </Button>
    </form>
  );
}

function UndoButton({ found }: { readonly found: Import }) {
  const { call } = useWorkspace();
  const [asking, setAsking] = useState(false);
  const undo = useChange(() => call(undoImport, { params: { id: found.id } }), {
    refreshes: ["imports", "links", "link-count"],
    inForm: true,
  });
  return (
    <>
      <Button look="danger" onClick={() => setAsking(true)}>
        {texts.undo}
      </Button>
      {asking && (
        <ConfirmDialog
          title={texts.askUndo}
          confirmLabel={texts.undo}
          onConfirm={() => undo.mutateAsync()}
          onClose={() => setAsking(false)}
        >
          {texts.askUndoNote(found.links.created)}
        </ConfirmDialog>
      )}
    </>
  );
}
