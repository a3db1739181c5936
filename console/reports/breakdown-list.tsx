import { Check } from "lucide-react";
import { classes } from "#console/ui/classes.ts";
import { formatCount } from "#console/ui/format.ts";
import type { AccountDimension } from "#contract/analytics.ts";
import { dimensionTexts } from "#texts/dimensions.ts";
import { reportTexts } from "#texts/reports.ts";
import type { EarlierClicks } from "./earlier-clicks.ts";
import { EarlierColumns, EarlierHead } from "./earlier-columns.tsx";
import { formatShare } from "./numbers.ts";
import { OthersRow } from "./others-row.tsx";
import { useReportScope } from "./report-context.tsx";
import type { Breakdown } from "./report-query.ts";
import { valuesOf } from "./report-search.ts";
import { ValueIcon } from "./value-icon.tsx";

const texts = reportTexts.cards;

interface BreakdownListProps {
  readonly dimension: AccountDimension;
  readonly breakdown: Breakdown;
  /** Shows only the values whose name has this text in it. */
  readonly wanted?: string;
  /** Adds columns that compare with the period before, which may not be loaded yet. */
  readonly comparison?: { readonly earlier: EarlierClicks | undefined };
}

/** Values with bars; where that is allowed, a click on one makes it a filter, and the next click takes that back. */
export function BreakdownList({ dimension, breakdown, wanted = "", comparison }: BreakdownListProps) {
  const { items, other_clicks } = breakdown;
  const { source, search, toggle } = useReportScope();
  const { RowAction } = source;
  const Row = source.canFilter ? "button" : "div";
  const { nameOf, detailOf, isAsking } = source.useNames(
    dimension,
    items.flatMap(({ key }) => key ?? []),
  );
  const chosen = valuesOf(search, dimension);
  const hiddenClicks = source.hidesRare && wanted === "" ? other_clicks : 0;
  // Beside columns that compare, a sentence below the list says how many there are.
  const others = comparison ? 0 : hiddenClicks;
  const greatest = Math.max(1, others, ...items.map(({ clicks }) => clicks));
  const total = items.reduce((sum, { clicks }) => sum + clicks, other_clicks);
  const rows = items
    .map((item) => ({ ...item, name: nameOf(item.key), detail: detailOf(item.key) }))
    .filter(({ name }) => name.toLowerCase().includes(wanted.toLowerCase()));
  if (rows.length === 0 && others === 0) {
    const said = hiddenClicks > 0 ? texts.onlyRare : texts.nothing;
    return <p className="flex h-28 items-center justify-center text-sm text-faint">{said}</p>;
  }
  const { list, noneHint } = dimensionTexts[dimension];
  return (
    <>
      {comparison && <EarlierHead hasActions={dimension === "link"} />}
      <ul aria-label={list} aria-busy={isAsking} className="space-y-0.5">
        {rows.map(({ key, clicks, unique_visitors, name, detail }) => (
          <li key={key ?? ""} className="flex items-center gap-1">
            <Row
              {...(source.canFilter && {
                type: "button",
                "aria-pressed": chosen.includes(key ?? ""),
                onClick: () => toggle(dimension, key ?? ""),
              })}
              title={
                unique_visitors === null
                  ? texts.row(name, clicks)
                  : texts.rowWithVisitors(name, clicks, unique_visitors)
              }
              className={classes(
                "group relative flex min-h-9 min-w-0 grow items-center gap-x-3 rounded-lg px-2 py-1.5 text-left text-sm focus-visible:-outline-offset-2",
                comparison && "max-sm:flex-col max-sm:items-stretch",
              )}
            >
              <span
                className={classes(
                  "absolute inset-y-0.5 left-0 rounded-md transition-[width]",
                  clicks > 0 && "min-w-1",
                  key === null ? "bg-sunken" : "bg-accent-soft",
                )}
                style={{ width: `${(clicks / greatest) * 100}%` }}
              />
              <span className="relative flex min-w-0 grow items-center gap-3">
                <span className="flex min-w-0 grow items-center gap-2">
                  {chosen.includes(key ?? "") && <Check className="size-4 shrink-0 text-accent" aria-hidden />}
                  {key !== null && <ValueIcon dimension={dimension} value={key} />}
                  <span
                    className={classes(
                      "line-clamp-2 wrap-anywhere",
                      source.canFilter && "group-hover:underline",
                      key === null && "text-soft",
                    )}
                  >
                    {name}
                  </span>
                  {detail && <span className="truncate text-soft max-sm:hidden">{detail}</span>}
                </span>
                {dimension !== "tag" && (
                  <span className="shrink-0 text-soft tabular-nums">{formatShare(clicks, total)}</span>
                )}
                <span className="w-10 shrink-0 text-right sm:w-14 font-medium tabular-nums">{formatCount(clicks)}</span>
              </span>
              {comparison && <EarlierColumns value={key} clicks={clicks} earlier={comparison.earlier} />}
            </Row>
            {RowAction && key !== null && <RowAction dimension={dimension} value={key} name={name} />}
          </li>
        ))}
        {others > 0 && <OthersRow clicks={others} total={total} greatest={greatest} />}
      </ul>
      {noneHint && rows.some(({ key }) => key === null) && <p className="px-2 pt-2 text-xs text-soft">{noneHint}</p>}
    </>
  );
}
