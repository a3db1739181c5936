import { Link } from "@tanstack/react-router";
import { useWorkspace } from "#console/api/session.tsx";
import { useChange } from "#console/api/use-change.ts";
import { Button } from "#console/ui/button.tsx";
import { Section } from "#console/ui/section.tsx";
import { cancelImport, type Import, type ImportForecast, runImport } from "#contract/console/imports.ts";
import { importTexts as texts } from "#texts/imports.ts";
import { OutcomeList } from "./outcome-list.tsx";
import { ProblemsButton } from "./problems-button.tsx";

interface ImportForecastProps {
  readonly found: Import;
  readonly forecast: ImportForecast;
  readonly onLeave: () => void;
}

/** What an import would do, before it does anything. */
export function ImportForecastSection({ found, forecast, onLeave }: ImportForecastProps) {
  const { account, call } = useWorkspace();
  const params = { id: found.id };
  const run = useChange(() => call(runImport, { params, body: {} }), { refreshes: ["imports"] });
  const discard = useChange(() => call(cancelImport, { params }), { refreshes: ["imports"], onDone: onLeave });
  const { created, renamed, imported_before, conflicts, refused, losses, hosts } = forecast;
  const { read, options } = found;
  const strangers = hosts.filter(({ is_yours }) => !is_yours);
  return (
    <Section title={texts.checkedTitle} note={texts.checkedNote}>
      <OutcomeList
        outcomes={[
          { label: texts.outcomes.willCreate, count: created, tone: "good", always: true },
          { label: texts.outcomes.counts, count: options.with_clicks ? read.counts : 0 },
          { label: texts.outcomes.willRename, count: renamed, note: texts.outcomes.renamedNote },
          { label: texts.outcomes.before, count: imported_before, note: texts.outcomes.beforeNote },
          { label: texts.outcomes.conflicts, count: conflicts, note: texts.outcomes.conflictsNote, tone: "warn" },
          { label: texts.outcomes.refused, count: refused + read.unreadable, tone: "bad" },
        ]}
      />
      {strangers.length > 0 && (
        <div className="mt-6 rounded-xl bg-warn-soft p-4 text-sm">
          <p className="font-medium text-warn">{texts.hostsTitle}</p>
          <p className="mt-1">{texts.hostsNote(strangers.map(({ host }) => host))}</p>
          <Link
            to="/a/$account/domains"
            params={{ account: account.id }}
            className="mt-2 inline-block font-medium underline underline-offset-2"
          >
            {texts.toDomains}
          </Link>
        </div>
      )}
      {losses.length > 0 && (
        <div className="mt-6 text-sm">
          <h3 className="font-medium">{texts.losses}</h3>
          <ul className="mt-1 grid list-disc gap-1 pl-5 text-soft">
            {losses.map(({ what, links }) => (
              <li key={what}>{texts.loss(what, links)}</li>
            ))}
          </ul>
        </div>
      )}
      <div className="mt-6 flex flex-wrap items-center gap-3">
        <Button look="primary" busy={run.isPending} disabled={created === 0} onClick={() => run.mutate()}>
          {texts.run(created)}
        </Button>
        <ProblemsButton found={found} />
        <Button look="quiet" busy={discard.isPending} onClick={() => discard.mutate()}>
          {texts.discard}
        </Button>
      </div>
    </Section>
  );
}
