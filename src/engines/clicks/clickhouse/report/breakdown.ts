import type { AccountDimension } from "#contract/analytics.ts";
import type { Breakdown, BreakdownItem, TimeRange } from "../../clicks-engine.ts";
import { DAY_MS } from "../../slots.ts";
import { IMPORTED_THAT_COUNT, VISITS_THAT_COUNT } from "../imported.ts";
import { int, type Row } from "../session.ts";
import { COMPACTED_THAT_COUNT } from "../structure.ts";
import { type Grouping, groupingOf, type NumberedBreakdown } from "./breakdown-keys.ts";
import { type Conditions, inRange } from "./conditions.ts";
import { reportRow } from "./series.ts";

export interface BreakdownPlan {
  readonly accountNo: number;
  readonly conditions: Conditions;
  /** The clicks that count, as a table expression. */
  readonly clicks: string;
  /** Whether there are counts of others. */
  readonly hasImported: boolean;
  readonly range: TimeRange;
  /** `null`: all of them. */
  readonly limit: number | null;
  readonly withVisitors: boolean;
}

/** For each breakdown of one pass, the keys with the most clicks. A click counts for each tag of its link. */
export function breakdownsSql(plan: BreakdownPlan, pass: readonly NumberedBreakdown[]): string {
  const { limit, conditions, hasImported } = plan;
  const isByLink = pass.some(({ dimension }) => dimension === "link");
  const grouping = groupingOf(plan.accountNo, pass);
  const parts = [
    rawPart(plan, grouping),
    ...(hasImported ? [visitPart(plan, grouping)] : []),
    ...(isByLink && !conditions.isFiltered
      ? [linkCountPart(plan, grouping)]
      : [compactedPart(plan, grouping), ...(hasImported ? [importedPart(plan, grouping, pass)] : [])]),
  ];
  // A missing value comes last among equals.
  const order = isByLink ? "clicks desc, key" : "clicks desc, key = '', key";
  // An account may have a million links: without `by`, the server puts only as many in order as it returns.
  const first = limit === null ? "" : `limit ${int(limit)} ${pass.length > 1 ? "by no" : ""}`;
  return `
    select ${reportRow({
      kind: "no",
      name: "cast(key, 'String')",
      n1: "clicks",
      n2: "visitors",
      n3: "unknown",
      n4: "total",
      n5: "rowNumberInAllBlocks()",
    })}
    from (
      select *, sum(clicks) over (partition by no) as total
      from (
        select no, key, sum(part_clicks) as clicks, sum(part_visitors) as visitors, max(part_unknown) as unknown
        from (${parts.join(" union all ")}) group by no, key
      ) order by no, ${order} ${first}
    )`;
}

const whereOf = ({ conditions: { sql, counted }, range }: BreakdownPlan): string =>
  `${inRange(range)} and ${sql} and ${counted}`;

function rawPart(plan: BreakdownPlan, { columns, join, groups, no, key }: Grouping): string {
  const rows = `(select * from ${plan.clicks} where ${whereOf(plan)}) as c ${join}`;
  if (!plan.withVisitors) {
    return `select ${no} as no, ${key} as key, count() as part_clicks, 0 as part_visitors, 0 as part_unknown
      from (select ${columns} from ${rows}) group by ${groups()}`;
  }
  return `select no, key, sum(day_clicks) as part_clicks, sum(day_visitors) as part_visitors, 0 as part_unknown
    from (
      select ${no} as no, ${key} as key, count() as day_clicks, uniqExact(visitor) as day_visitors
      from (select ${columns}, intDiv(at_ms, ${DAY_MS}) as at_day, visitor from ${rows}) group by ${groups("at_day")}
    ) group by no, key`;
}

/** Nobody is both one of these visitors and one of the others, so all are added up. */
function visitPart(plan: BreakdownPlan, { columns, join, groups, no, key }: Grouping): string {
  const rows = `(select * from imported_visits where ${whereOf(plan)} and ${VISITS_THAT_COUNT}) as c ${join}`;
  return `select no, key, sum(day_clicks) as part_clicks, sum(day_visitors) as part_visitors, 0 as part_unknown
    from (
      select ${no} as no, ${key} as key, sum(clicks) as day_clicks,
        ${plan.withVisitors ? "uniqExact(visitor)" : "0"} as day_visitors
      from (select ${columns}, intDiv(at_ms, ${DAY_MS}) as at_day, visitor, clicks from ${rows})
      group by ${groups("at_day")}
    ) group by no, key`;
}

/** The visitors of days stored as counts aren't known, apart from those of links. */
function compactedPart(plan: BreakdownPlan, { columns, join, groups, no, key }: Grouping): string {
  const rows = `(select * from compacted_clicks where ${whereOf(plan)} and ${COMPACTED_THAT_COUNT}) as c ${join}`;
  return `select ${no} as no, ${key} as key, sum(clicks) as part_clicks, 0 as part_visitors, 1 as part_unknown
    from (select ${columns}, clicks from ${rows}) group by ${groups()}`;
}

/** Each breakdown has its own cut of what others have counted: groups of another cut have no clicks in this one. */
function importedPart(
  plan: BreakdownPlan,
  { columns, join, groups, no, key }: Grouping,
  pass: readonly NumberedBreakdown[],
): string {
  const rows = `(select * from imported_clicks where ${whereOf(plan)} and ${IMPORTED_THAT_COUNT}) as c ${join}`;
  const isCut = pass.map(({ dimension, no }) => `${plan.conditions.cut(dimension)} as is_cut${int(no)}`);
  const ofCut = pass.map(({ no }) => `no = ${int(no)}, sumIf(clicks, is_cut${int(no)})`);
  return `select no, key, part_clicks, 0 as part_visitors, 1 as part_unknown
    from (
      select ${no} as no, ${key} as key, multiIf(${ofCut.join(", ")}, 0) as part_clicks
      from (select ${columns}, clicks, ${isCut.join(", ")} from ${rows}) group by ${groups()}
    ) where part_clicks > 0`;
}

/** For days stored as counts, the visitors of a link are known if the range has all of its clicks on that day. */
function linkCountPart(plan: BreakdownPlan, { columns, no, key, groups }: Grouping): string {
  const { conditions, accountNo, hasImported } = plan;
  const rowsOf = (table: string, counts: string): string =>
    `select at_ms, link_no, clicks from ${table} where ${whereOf(plan)} and ${counts}`;
  const visitorsOf = (table: string, counts: string): string => `
    select link_no, day, clicks, visitors from ${table}
    where account_no = ${int(accountNo)} and with_bots = ${conditions.counted === "true"} and ${counts}`;
  const importedThatCount = `${IMPORTED_THAT_COUNT} and ${conditions.cut("link")}`;
  return `select no, key, sum(day_clicks) as part_clicks,
      sum(if(day_clicks = all_clicks, all_visitors, 0)) as part_visitors,
      max(day_clicks <> all_clicks) as part_unknown
    from (
      select ${no} as no, ${key} as key, at_day, sum(clicks) as day_clicks
      from (
        select ${columns}, toUInt32(intDiv(at_ms, ${DAY_MS})) as at_day, clicks
        from (
          ${rowsOf("compacted_clicks", COMPACTED_THAT_COUNT)}
          ${hasImported ? `union all ${rowsOf("imported_clicks", importedThatCount)}` : ""}
        )
      ) group by ${groups("at_day")}
    ) as old left join (
      select link_no as key, day as at_day, sum(clicks) as all_clicks, sum(visitors) as all_visitors
      from (
        ${visitorsOf("compacted_visitors", COMPACTED_THAT_COUNT)}
        ${hasImported ? `union all ${visitorsOf("imported_visitors", IMPORTED_THAT_COUNT)}` : ""}
      ) group by key, at_day
    ) as days using (key, at_day) group by no, key`;
}

export function toBreakdownItem(row: Row, dimension: AccountDimension, withVisitors: boolean): BreakdownItem {
  const [, , , name, clicks, visitors, unknown] = row;
  const key = dimension === "link" ? Number(name) : name === "" ? null : String(name);
  return {
    key,
    clicks: Number(clicks),
    uniqueVisitors: withVisitors && Number(unknown) === 0 ? Number(visitors) : null,
  };
}

export function readBreakdown(rows: readonly Row[], dimension: AccountDimension, withVisitors: boolean): Breakdown {
  // The parts of a statement arrive in any order; each row has its rank.
  const ranked = [...rows].sort((a, b) => Number(a[8]) - Number(b[8]));
  const items = ranked.map((row) => toBreakdownItem(row, dimension, withVisitors));
  const shown = items.reduce((sum, { clicks }) => sum + clicks, 0);
  return { items, otherClicks: Number(rows[0]?.[7] ?? 0) - shown };
}
