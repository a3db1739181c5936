import type { AccountDimension } from "#contract/analytics.ts";
import { type ClickText, type TextGroup, textGroups } from "../../click-format.ts";
import type { ReportRequest, TimeRange } from "../../clicks-engine.ts";
import { SLOT_MS, SLOTS_PER_DAY } from "../../slots.ts";
import { int, type Row } from "../session.ts";
import { type Conditions, tagsOf } from "./conditions.ts";

export interface BreakdownPlan extends Pick<ReportRequest, "accountNo" | "limit"> {
  readonly conditions: Conditions;
  /** The parts of the range with individual clicks, and with counts. */
  readonly raw: TimeRange | null;
  readonly compacted: TimeRange | null;
  /** With imported counts, without visitors and with them. */
  readonly imported: TimeRange | null;
  readonly visits: TimeRange | null;
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

/** One statement for breakdowns that read the same column. */
export interface TopKeysQuery {
  readonly dimensions: readonly AccountDimension[];
  readonly sql: string;
}

/** The keys with the most clicks. Texts of one group are counted by their number, and then by each text. */
export function topKeysQueries(plan: BreakdownPlan, groupBy: readonly AccountDimension[]): TopKeysQuery[] {
  const queries = textGroups.flatMap((group) => {
    const texts = group.texts.map(({ name }) => name).filter((name) => groupBy.includes(name));
    return texts.length > 0 ? [{ dimensions: texts, sql: textKeysSql(plan, group, texts) }] : [];
  });
  const others = groupBy.filter((dimension) => dimension === "link" || dimension === "tag" || dimension === "source");
  return [...queries, ...others.map((dimension) => ({ dimensions: [dimension], sql: keysSql(plan, dimension) }))];
}

function textKeysSql(plan: BreakdownPlan, { name, table }: TextGroup, texts: readonly ClickText[]): string {
  const tops = texts.map((text, index) => {
    const imported = importedBy(plan, `(select ${text} from ${table} t where t.no = r.${name}_no)`, text);
    const counts = [`select ${text}, clicks, compacted from named`, ...imported];
    return `(${topOf(index, counts.join(" union all "), plan.limit)})`;
  });
  return `
    with counts (no, clicks, compacted) as (${countsBy(plan, `r.${name}_no`)}),
    named as materialized (
      select t.*, clicks, compacted
      from (select no, sum(clicks) as clicks, sum(compacted) as compacted from counts group by no) join ${table} t using (no)
    ) ${tops.join(" union all ")}`;
}

function keysSql(plan: BreakdownPlan, dimension: "link" | "tag" | "source"): string {
  // Clicks on a link with several tags count for each of them, clicks on one without tags for none.
  const tags = dimension === "tag" ? `left join ${tagsOf(plan.accountNo)} t using (link_no)` : "";
  const keys = { link: "r.link_no", tag: "t.tag", source: "case when r.qr then 'qr' else 'link' end" };
  const counts = [countsBy(plan, keys[dimension], tags), ...importedBy(plan, keys[dimension], dimension, tags)];
  return topOf(0, counts.join(" union all "), plan.limit);
}

const topOf = (index: number, counts: string, limit: number): string => `
  select ${index}, key, sum(clicks)::double as clicks, sum(compacted) > 0, sum(sum(clicks)) over ()::double
  from (${counts}) counts (key, clicks, compacted)
  group by key order by clicks desc, key nulls last limit ${int(limit)}`;

export function countsBy(plan: BreakdownPlan, key: string, join = ""): string {
  const { raw, compacted, visits } = plan;
  const counts = [
    ...(raw ? [`select ${key}, count(*), 0 from (${rawRows(plan, raw)}) r ${join} group by 1`] : []),
    ...(compacted
      ? [`select ${key}, sum(r.clicks), sum(r.clicks) from (${countRows(plan, compacted)}) r ${join} group by 1`]
      : []),
    ...(visits ? [`select ${key}, sum(r.clicks), 0 from (${visitRows(plan, visits)}) r ${join} group by 1`] : []),
  ];
  // A statement needs one part at least.
  return counts.length > 0 ? counts.join(" union all ") : "select null, 0, 0 where false";
}

/** Each dimension may be in another cut. */
export function importedBy(plan: BreakdownPlan, key: string, dimension: AccountDimension, join = ""): string[] {
  const { imported, conditions } = plan;
  if (!imported) return [];
  const rows = `${countRows(plan, imported, "imported_clicks")} and ${conditions.cut(dimension)}`;
  return [`select ${key}, sum(r.clicks), sum(r.clicks) from (${rows}) r ${join} group by 1`];
}

export const readTopKeys = (rows: readonly Row[]): TopKeys => ({
  keys: rows.map(([, key, clicks, hasCompacted]) => ({
    key: typeof key === "string" || typeof key === "number" ? key : null,
    clicks: Number(clicks),
    hasCompacted: hasCompacted === true,
  })),
  total: Number(rows[0]?.[4] ?? 0),
});

export const rawRows = ({ conditions }: Pick<BreakdownPlan, "conditions">, { fromMs, toMs }: TimeRange): string =>
  `select * from clicks where at_ms >= ${int(fromMs)} and at_ms < ${int(toMs)}
    and ${conditions.sql} and ${conditions.counted}`;

export const visitRows = (plan: Pick<BreakdownPlan, "conditions">, range: TimeRange): string =>
  countRows(plan, range, "imported_visits");

const countRows = (
  { conditions }: Pick<BreakdownPlan, "conditions">,
  { fromMs, toMs }: TimeRange,
  table = "compacted_clicks",
): string =>
  `select * from ${table}
    where slot >= ${int(Math.ceil(fromMs / SLOT_MS))} and slot < ${int(Math.ceil(toMs / SLOT_MS))}
      and ${conditions.sql} and ${conditions.counted}`;

/**
 * Visitors of each link on days stored as counts, and whether some days are unknown: visitors can't be told for part
 * of a day or for a subset of its clicks.
 */
export function countedLinkVisitorsSql(plan: BreakdownPlan, links: readonly number[] | null): string {
  const { compacted, imported, conditions, accountNo } = plan;
  const counts = [
    ...(compacted ? [countRows(plan, compacted)] : []),
    ...(imported ? [`${countRows(plan, imported, "imported_clicks")} and ${conditions.cut("link")}`] : []),
  ];
  const only = links ? `where link_no in (${links.map(int).join(", ")})` : "";
  const days = counts.map((rows) => `select link_no, slot // ${SLOTS_PER_DAY} as day, clicks from (${rows}) ${only}`);
  const visitorsIn = (table: string): string => `
    select link_no, day, clicks, visitors from ${table}
    where account_no = ${int(accountNo)} and with_bots = ${conditions.counted === "true"}`;
  return `
    select c.link_no, sum(case when c.clicks = d.clicks then d.visitors else 0 end)::double,
      bool_or(c.clicks is distinct from d.clicks)
    from (select link_no, day, sum(clicks) as clicks from (${days.join(" union all ")}) group by all) c left join (
      select link_no, day, sum(clicks) as clicks, sum(visitors) as visitors
      from (${visitorsIn("compacted_visitors")} union all ${visitorsIn("imported_visitors")}) group by all
    ) d using (link_no, day) group by c.link_no`;
}
