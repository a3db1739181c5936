import { keepPreviousData, useQuery } from "@tanstack/react-query";
import { Check, CornerDownRight, Minus, X } from "lucide-react";
import { type ReactNode, useId, useState } from "react";
import { CallError } from "#console/api/call.ts";
import { useWorkspace } from "#console/api/session.tsx";
import { useDebounced } from "#console/ui/debounce.ts";
import { formatAddress, formatInstant } from "#console/ui/format.ts";
import { resolveNewLink } from "#contract/console/links.ts";
import { type Resolution, resolveLink } from "#contract/resolve.ts";
import { ruleTexts } from "#texts/rules.ts";
import { toCreate } from "../link-form-values.ts";
import type { LinkFormState } from "../use-link-form.ts";
import { withScheme } from "../with-scheme.ts";
import { isNameGiven, placeOf, type RuleValues, rulesOf, toRules } from "./rule-values.ts";
import { describeFailure, formatShare, listWords } from "./rule-words.ts";
import { isVisitorField, toVisit, unknownVisitor, VisitorFields } from "./visitor-fields.tsx";

const { dryRun: texts } = ruleTexts;

const SETTLE_MS = 300;
/** As the API writes times, which people read in their own zone. */
const INSTANT = /\d{4}-\d\d-\d\dT[\d:.]+Z/g;

/** Describe a visitor and see where they'd go with the rules as they are in the form, saved or not. */
export function DryRun({ form: { base, values, problems } }: { readonly form: LinkFormState }) {
  const { account, call } = useWorkspace();
  const [visitor, setVisitor] = useState(unknownVisitor);
  const titleId = useId();
  const asked = new Set(values.rules.flatMap(({ conditions }) => conditions.map(({ field }) => field)));
  const isComplete = !Object.keys(problems).some((field) => /^(?:rules|destination_url|utm)(?:\.|$)/.test(field));
  const { domain, utm, forward_query, forward_path } = base ? {} : toCreate(values);
  // That of a saved link can't be tried unsaved.
  const hasPath = base ? base.forward_path : values.forward_path;
  const visit = {
    ...toVisit(hasPath ? visitor : { ...visitor, path: "" }),
    destination_url: withScheme(values.destination_url),
    rules: toRules(values.rules, withScheme),
    domain,
    utm,
    forward_query,
    forward_path,
  };
  // As text, since each rendering makes an object of its own, which would never settle.
  const question = useDebounced(isComplete ? JSON.stringify(visit) : "", SETTLE_MS);
  const { data, error } = useQuery({
    queryKey: ["resolve", account.id, base?.id, base?.version, question],
    queryFn: async ({ signal }) => ({
      resolution: await (base
        ? call(resolveLink, { params: { id: base.id }, body: JSON.parse(question), signal })
        : call(resolveNewLink, { body: JSON.parse(question), signal })),
      // Those that were tried: the form may have newer ones by now.
      rules: rulesOf(JSON.parse(question).rules),
    }),
    enabled: question !== "",
    placeholderData: keepPreviousData,
    retry: false,
  });
  const unclear = error instanceof CallError ? error.fieldErrors.filter(({ field }) => isVisitorField(field)) : [];
  return (
    <section
      aria-labelledby={titleId}
      className="grid min-w-0 grid-cols-[minmax(0,1fr)] content-start gap-4 self-start rounded-xl bg-sunken p-4 lg:sticky lg:top-4 lg:max-h-[calc(100dvh-8rem)] lg:overflow-y-auto"
    >
      <div>
        <h3 id={titleId} className="text-sm font-semibold">
          {texts.title}
        </h3>
        <p className="text-sm text-soft">{texts.note}</p>
      </div>
      <VisitorFields
        visitor={visitor}
        asked={asked}
        hasPath={hasPath}
        onChange={setVisitor}
        problems={Object.fromEntries(unclear.map(({ field, message }) => [field, message]))}
      />
      <div
        role="status"
        aria-label={texts.result}
        className="grid grid-cols-[minmax(0,1fr)] gap-3 border-t border-line pt-4"
      >
        {!isComplete ? (
          <p className="text-sm text-soft">
            {values.destination_url.trim() === "" ? texts.noDestination : texts.incomplete}
          </p>
        ) : unclear.length > 0 ? (
          <p className="text-sm text-soft">{texts.unclear}</p>
        ) : error ? (
          <p className="text-sm text-bad">{problemText(error)}</p>
        ) : data ? (
          <Result resolution={data.resolution} rules={data.rules} />
        ) : (
          <p className="text-sm text-soft">{texts.trying}</p>
        )}
      </div>
    </section>
  );
}

/** Rules as people count them: the API's message begins with the path of a field. */
function problemText(error: Error): string {
  const [problem] = error instanceof CallError ? error.fieldErrors : [];
  if (!problem) return error.message;
  const index = /^rules\.(\d+)/.exec(problem.field)?.[1];
  return index === undefined ? problem.message : texts.problem(Number(index) + 1, problem.message);
}

interface ResultProps {
  readonly resolution: Resolution;
  readonly rules: readonly RuleValues[];
}

function Result({ resolution, rules }: ResultProps) {
  const { obstacles, location, ways } = resolution;
  const decidedBy = resolution.rules.findIndex(({ decides }) => decides);
  const [obstacle] = obstacles;
  return (
    <>
      {obstacle && (
        <p className="rounded-lg bg-warn-soft px-3 py-2 text-sm text-warn">
          {texts.obstacle(
            obstacle.code,
            obstacle.message.replace(INSTANT, (instant) => formatInstant(instant)),
          )}
          {location !== null && ` ${texts.instead(formatAddress(location))}`}
        </p>
      )}
      <div className="text-sm">
        <p className="font-medium">{decidedBy === -1 ? texts.noRule : texts.decides(ruleLabel(decidedBy, rules))}</p>
        {ways.length > 0 ? (
          <ul className="mt-1 grid gap-1">
            {ways.map(({ name, chance, destination_url }) => (
              <li key={name} className="flex gap-2">
                <span className="w-12 shrink-0 text-right font-medium">{formatShare(chance * 100)}</span>
                <span className="min-w-0">
                  <span className="block truncate">{name}</span>
                  <Address url={destination_url} />
                </span>
              </li>
            ))}
          </ul>
        ) : (
          <p className="mt-1 flex gap-1.5">
            <CornerDownRight className="mt-0.5 size-4 shrink-0 text-faint" aria-hidden />
            <Address url={resolution.destination_url} />
          </p>
        )}
      </div>
      <ol aria-label={texts.why} className="grid gap-2 text-sm">
        {resolution.rules.map((found, index) => (
          <Finding key={found.name} found={found} index={index} rules={rules} decidedBy={decidedBy} />
        ))}
      </ol>
    </>
  );
}

/** By its place, which the form shows, and by its name, which reports show, if someone chose it. */
function ruleLabel(index: number, rules: readonly RuleValues[]): string {
  const name = rules[index]?.name ?? "";
  return name === "" || isNameGiven(name, "rule") ? texts.rule(index + 1) : texts.namedRule(index + 1, name);
}

const Address = ({ url }: { readonly url: string }) => (
  <span className="min-w-0 font-mono text-xs leading-5 break-all">{url}</span>
);

interface FindingProps {
  readonly found: Resolution["rules"][number];
  readonly index: number;
  readonly rules: readonly RuleValues[];
  readonly decidedBy: number;
}

function Finding({ found: { decides, failed }, index, rules, decidedBy }: FindingProps): ReactNode {
  const reasons = failed.map((place) => {
    const condition = rules[index]?.conditions.find((one) => placeOf(one) === place);
    return condition ? describeFailure(condition) : place;
  });
  const isLate = failed.length === 0 && !decides;
  const Icon = decides ? Check : isLate ? Minus : X;
  const rule = ruleLabel(index, rules);
  const text = decides
    ? texts.matches(rule)
    : isLate
      ? texts.comesLate(rule, decidedBy + 1)
      : texts.fails(rule, listWords(reasons, "and"));
  return (
    <li className="flex gap-2">
      <Icon className={`mt-0.5 size-4 shrink-0 ${decides ? "text-good" : "text-faint"}`} aria-hidden />
      <span className="min-w-0 wrap-anywhere">{text}</span>
    </li>
  );
}
