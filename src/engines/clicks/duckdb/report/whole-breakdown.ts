import type { AccountDimension } from "#contract/analytics.ts";
import { textGroups } from "../../click-format.ts";
import type { BreakdownItem, BreakdownRequest } from "../../clicks-engine.ts";
import type { Session } from "../session.ts";
import { type BreakdownPlan, countedLinkVisitorsSql, countsBy, importedBy, rawRows, visitRows } from "./breakdown.ts";
import { clickConditions, tagsOf } from "./conditions.ts";
import { findExtent, overlap } from "./plan.ts";

interface Statement {
  readonly sql: string;
  readonly values: readonly string[];
}

/**
 * All items, with columns for key, clicks and visitors: counted at once, where a report counts those of its few items.
 * `null` if there is nothing in the range: a statement without conditions could not take their values.
 */
export async function wholeBreakdownSql(session: Session, request: BreakdownRequest): Promise<Statement | null> {
  const { accountNo, groupBy, breakdownVisitors } = request;
  const extent = await findExtent(session);
  const conditions = clickConditions(request);
  const [raw, compacted, imported, visits] = [extent.raw, extent.compacted, extent.imported, extent.visits].map(
    (range) => overlap(request, range),
  ) as [BreakdownPlan["raw"], BreakdownPlan["raw"], BreakdownPlan["raw"], BreakdownPlan["raw"]];
  if (!raw && !compacted && !imported && !visits) return null;
  const plan: BreakdownPlan = { accountNo, limit: 0, conditions, raw, compacted, imported, visits };
  const { key, join } = keyOf(accountNo, groupBy);
  const seen = breakdownVisitors
    ? [...(raw ? [rawRows(plan, raw)] : []), ...(visits ? [visitRows(plan, visits)] : [])]
    : [];
  const visitorsOf = seen.map(
    (rows) => `select ${key}, count(distinct r.visitor) from (${rows} and visitor is not null) r ${join} group by 1`,
  );
  const knowsOlder = groupBy === "link" && !conditions.isFiltered && (compacted !== null || imported !== null);
  const older = knowsOlder ? countedLinkVisitorsSql(plan, null) : "select 0, 0, true where false";
  const visitors = `
    case when not has_counts then coalesce(s.visitors, 0)
      when o.unknown = false then coalesce(s.visitors, 0) + o.visitors end`;
  const sql = `
    with counts (key, clicks, counted) as (
      ${[countsBy(plan, key, join), ...importedBy(plan, key, groupBy, join)].join(" union all ")}
    ),
    items as (select key, sum(clicks) as clicks, sum(counted) > 0 as has_counts from counts group by key),
    seen (key, visitors) as (${[...visitorsOf, "select null, 0 where false"].join(" union all ")}),
    older (key, visitors, unknown) as (${older})
    select i.key, i.clicks, ${breakdownVisitors ? visitors : "null"}
    from items i left join (select key, sum(visitors) as visitors from seen group by key) s
      on s.key is not distinct from i.key
    ${groupBy === "link" ? "left join older o on o.key = i.key" : "left join older o on false"}
    order by i.clicks desc, i.key nulls last`;
  return { sql, values: conditions.values };
}

function keyOf(accountNo: number, dimension: AccountDimension): { readonly key: string; readonly join: string } {
  if (dimension === "link") return { key: "r.link_no", join: "" };
  if (dimension === "source") return { key: "case when r.qr then 'qr' else 'link' end", join: "" };
  if (dimension === "tag") return { key: "t.tag", join: `left join ${tagsOf(accountNo)} t using (link_no)` };
  const group = textGroups.find(({ texts }) => texts.some(({ name }) => name === dimension));
  return { key: `t.${dimension}`, join: `join ${group?.table} t on t.no = r.${group?.name}_no` };
}

export const toBreakdownItem =
  (dimension: AccountDimension) =>
  ([key = "", clicks, visitors = ""]: readonly string[]): BreakdownItem => ({
    key: key === "" ? null : dimension === "link" ? Number(key) : key,
    clicks: Number(clicks),
    uniqueVisitors: visitors === "" ? null : Number(visitors),
  });
