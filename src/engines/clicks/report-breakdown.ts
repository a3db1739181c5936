import type { AccountDimension } from "#contract/analytics.ts";
import type { ReportRequest, TimeRange } from "./clicks-engine.ts";
import { int, type Row } from "./duckdb-session.ts";
import { type Conditions, tagsOf } from "./report-conditions.ts";
import { SLOT_MS, SLOTS_PER_DAY } from "./slots.ts";

export interface BreakdownPlan extends Pick<ReportRequest, "accountNo" | "limit"> {
  readonly conditions: Conditions;
  /** The parts of the range with individual clicks, and with counts. */
  readonly raw: TimeRange | null;
  readonly compacted: TimeRange | null;
}

export interface TopKey {
  readonly key: string | number | null;
  readonly clicks: number;
  /** Whether some of these clicks are stored as counts, without visitors. */
  readonly hasCompacted: boolean;
}

export interface TopKeys {
  readonly keys: readonly TopKey[];
  /** Clicks of all keys, including those beyond the limit. */
  readonly total: number;
}

/** The keys with the most clicks. */
export function topKeysSql(plan: BreakdownPlan, dimension: AccountDimension): string {
  const { raw, compacted, limit, accountNo } = plan;
  const key = dimension === "link" ? "r.link_no" : dimension === "tag" ? "t.tag" : `r.${dimension}`;
  // Clicks on a link with several tags count for each of them, clicks on one without tags for none.
  const tags = dimension === "tag" ? `left join ${tagsOf(accountNo)} t using (link_no)` : "";
  const counts = [
    ...(raw ? [`select ${key}, count(*), 0 from (${rawRows(plan, raw)}) r ${tags} group by 1`] : []),
    ...(compacted
      ? [`select ${key}, sum(r.clicks), sum(r.clicks) from (${compactedRows(plan, compacted)}) r ${tags} group by 1`]
      : []),
  ];
  return `
    select key, sum(clicks)::double as clicks, sum(compacted) > 0, sum(sum(clicks)) over ()::double
    from (${counts.join(" union all ")}) counts (key, clicks, compacted)
    group by key order by clicks desc, key nulls last limit ${int(limit)}`;
}

export const readTopKeys = (rows: readonly Row[]): TopKeys => ({
  keys: rows.map(([key, clicks, hasCompacted]) => ({
    key: typeof key === "string" || typeof key === "number" ? key : null,
    clicks: Number(clicks),
    hasCompacted: hasCompacted === true,
  })),
  total: Number(rows[0]?.[3] ?? 0),
});

export const rawRows = ({ conditions }: Pick<BreakdownPlan, "conditions">, { fromMs, toMs }: TimeRange): string =>
  `select * from clicks where at_ms >= ${int(fromMs)} and at_ms < ${int(toMs)}
    and ${conditions.sql} and ${conditions.counted}`;

const compactedRows = ({ conditions }: BreakdownPlan, { fromMs, toMs }: TimeRange): string =>
  `select * from compacted_clicks
    where slot >= ${int(Math.ceil(fromMs / SLOT_MS))} and slot < ${int(Math.ceil(toMs / SLOT_MS))}
      and ${conditions.sql} and ${conditions.counted}`;

/**
 * Visitors of each link on days stored as counts, and whether some days are unknown: visitors can't be told for part
 * of a day or for a subset of its clicks.
 */
export function compactedLinkVisitorsSql(plan: BreakdownPlan, compacted: TimeRange, links: readonly number[]): string {
  return `
    select c.link_no, sum(case when c.clicks = d.clicks then d.visitors else 0 end)::double,
      bool_or(c.clicks is distinct from d.clicks)
    from (
      select link_no, slot // ${SLOTS_PER_DAY} as day, sum(clicks) as clicks
      from (${compactedRows(plan, compacted)} and link_no in (${links.map(int).join(", ")})) group by all
    ) c left join (
      select link_no, day, sum(clicks) as clicks, sum(visitors) as visitors from compacted_visitors
      where account_no = ${int(plan.accountNo)} and with_bots = ${plan.conditions.counted === "true"} group by all
    ) d using (link_no, day) group by c.link_no`;
}
