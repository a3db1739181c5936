import { useId } from "react";
import { classes } from "#console/ui/classes.ts";
import { Failure } from "#console/ui/failure.tsx";
import { formatAddress, formatCount } from "#console/ui/format.ts";
import { Badge, Panel, Skeleton } from "#console/ui/panel.tsx";
import { reportTexts } from "#texts/reports.ts";
import { uiTexts } from "#texts/ui.ts";
import { formatShare } from "../numbers.ts";
import { useReportScope } from "../report-context.tsx";
import type { BreakdownItem } from "../report-query.ts";
import { DIALOG_LIMIT, useBreakdown } from "../use-report.ts";
import type { Split } from "./split-results.tsx";
import { type TestedWay, testSplit } from "./split-test.ts";
import { describeSplit } from "./split-words.ts";

const texts = reportTexts.split;

/** Who went where, beside what was planned, and whether the difference is chance. */
export function SplitCard({ rule }: { readonly rule: Split }) {
  const { source, search } = useReportScope();
  const titleId = useId();
  // All its ways, whatever else is filtered: a share of some of them would say nothing.
  const keys = rule.split.map(({ name }) => `${rule.name}/${name}`);
  const { data, error, isPlaceholderData, refetch } = useBreakdown(source, { ...search, rule: keys }, "rule", {
    limit: DIALOG_LIMIT,
    withVisitors: true,
  });
  return (
    <Panel className="mb-4">
      <div className="grid grid-cols-[minmax(0,1fr)] gap-4 p-5" aria-busy={isPlaceholderData}>
        {data ? (
          <Result rule={rule} items={data.items} titleId={titleId} />
        ) : error ? (
          <Failure error={error} onRetry={refetch} />
        ) : (
          <output aria-label={uiTexts.loading}>
            <Skeleton className="h-40" />
          </output>
        )}
      </div>
    </Panel>
  );
}

interface ResultProps {
  readonly rule: Split;
  readonly items: readonly BreakdownItem[];
  readonly titleId: string;
}

function Result({ rule, items, titleId }: ResultProps) {
  const counts = rule.split.map(({ name }) => items.find(({ key }) => key === `${rule.name}/${name}`));
  // Where visitors can't be told apart, a split can't be judged by its clicks, of which one visitor makes several.
  const isJudged = counts.every((count) => count?.unique_visitors !== null);
  const tested = testSplit(
    rule.split.map(({ weight }, at) => ({ weight, visitors: counts[at]?.unique_visitors ?? 0 })),
  );
  const words = describeSplit(
    tested,
    rule.split.map(({ name }) => name),
  );
  return (
    <>
      <div>
        <div className="flex flex-wrap items-center gap-x-3 gap-y-1">
          <h2 id={titleId} className="font-semibold wrap-anywhere">
            {texts.title(rule.name)}
          </h2>
          {isJudged && <Badge tone={words.tone}>{words.label}</Badge>}
        </div>
        <p className="mt-1 max-w-3xl text-sm text-soft">{isJudged ? words.text : texts.unknown}</p>
      </div>
      <ul aria-labelledby={titleId} className="grid grid-cols-[minmax(0,1fr)] text-sm">
        {rule.split.map(({ name, destination_url }, at) => {
          const way = isJudged ? tested.ways[at] : undefined;
          return (
            <li
              key={name}
              className="group grid gap-x-6 gap-y-2 border-line py-3 not-first:border-t first:pt-0 last:pb-0 sm:grid-cols-[minmax(0,1fr)_22rem] sm:items-end"
            >
              <div className="min-w-0">
                <p className="flex min-w-0 gap-2">
                  <span className="shrink-0 font-medium">{name}</span>
                  <span className="truncate text-soft" title={destination_url}>
                    {formatAddress(destination_url)}
                  </span>
                </p>
                {way && <ShareBar way={way} />}
              </div>
              <dl className="grid grid-cols-4 gap-x-2 sm:text-right">
                <Figure term={texts.share} text={way && tested.visitors > 0 ? formatShare(way.share, 1) : "–"} isMain />
                <Figure term={texts.planned} text={formatShare(tested.ways[at]?.planned ?? 0, 1)} />
                <Figure term={texts.visitors} text={isJudged ? formatCount(counts[at]?.unique_visitors ?? 0) : "–"} />
                <Figure term={texts.clicks} text={formatCount(counts[at]?.clicks ?? 0)} />
              </dl>
            </li>
          );
        })}
      </ul>
    </>
  );
}

interface FigureProps {
  readonly term: string;
  readonly text: string;
  readonly isMain?: boolean;
}

/** Where they stand in columns, the first row names them for all. */
const Figure = ({ term, text, isMain = false }: FigureProps) => (
  <div>
    <dt className="text-xs text-soft sm:group-not-first:sr-only">{term}</dt>
    <dd className={classes("tabular-nums", isMain && "font-semibold")}>{text}</dd>
  </div>
);

/** The share as a bar, the plan as a mark across it. */
const ShareBar = ({ way: { share, planned } }: { readonly way: TestedWay }) => (
  <span aria-hidden className="relative mt-2 block h-1.5 rounded-full bg-sunken">
    <span className="absolute inset-y-0 left-0 rounded-full bg-accent" style={{ width: `${share * 100}%` }} />
    <span
      className="absolute -inset-y-1 w-0.5 -translate-x-1/2 rounded-full bg-text outline-2 outline-card"
      style={{ left: `${planned * 100}%` }}
    />
  </span>
);
