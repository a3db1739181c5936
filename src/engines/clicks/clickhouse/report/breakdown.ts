import type { AccountDimension } from "#contract/analytics.ts";
import { clickTexts } from "../../click-format.ts";
import type { Breakdown, BreakdownItem, TimeRange } from "../../clicks-engine.ts";
import { DAY_MS } from "../../slots.ts";
import { IMPORTED_THAT_COUNT, VISITS_THAT_COUNT } from "../imported.ts";
import { int, type Row } from "../session.ts";
import { COMPACTED_THAT_COUNT } from "../structure.ts";
import { type Conditions, inRange, SOURCE, tagsOf } from "./conditions.ts";
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

/** The keys with the most clicks. A click on a link with several tags counts for each of them. */
export function breakdownSql(plan: BreakdownPlan, dimension: AccountDimension): string {
  const { limit } = plan;
  const key = keyOf(plan.accountNo, dimension);
  // A missing value comes last among equals.
  const order = dimension === "link" ? "clicks desc, key" : "clicks desc, key = '', key";
  const parts = [
    rawParts(plan, key),
    ...(plan.hasImported ? [visitParts(plan, key)] : []),
    countParts(plan, key, dimension),
  ];
  return `
    select ${reportRow({ name: "cast(key, 'String')", n1: "clicks", n2: "visitors", n3: "unknown", n4: "total", n5: "rowNumberInAllBlocks()" })}
    from (
      select key, sum(part_clicks) as clicks, sum(part_visitors) as visitors, max(part_unknown) as unknown,
        sum(clicks) over () as total
      from (${parts.join(" union all ")})
      group by key order by ${order} ${limit === null ? "" : `limit ${int(limit)}`}
    )`;
}

interface Key {
  readonly sql: string;
  /** Follows the table that clicks are read from. */
  readonly join: string;
}

function keyOf(accountNo: number, dimension: AccountDimension): Key {
  if (dimension === "link") return { sql: "link_no", join: "" };
  if (dimension === "source") return { sql: SOURCE, join: "" };
  if (dimension !== "tag") return { sql: dimension, join: "" };
  // A link without tags has the key of a missing value.
  return {
    sql: "arrayJoin(if(empty(names), [''], names))",
    join: `left join ${tagsOf(accountNo)} as current_tags using (link_no)`,
  };
}

function rawParts({ conditions, clicks, range, withVisitors }: BreakdownPlan, key: Key): string {
  const rows = `(select * from ${clicks} where ${inRange(range)} and ${conditions.sql} and ${conditions.counted}) as c ${key.join}`;
  if (!withVisitors) {
    return `select key, count() as part_clicks, 0 as part_visitors, 0 as part_unknown
      from (select ${key.sql} as key from ${rows}) group by key`;
  }
  return `select key, sum(day_clicks) as part_clicks, sum(day_visitors) as part_visitors, 0 as part_unknown
    from (
      select key, count() as day_clicks, uniqExact(visitor) as day_visitors
      from (select ${key.sql} as key, intDiv(at_ms, ${DAY_MS}) as at_day, visitor from ${rows}) group by key, at_day
    ) group by key`;
}

/** Nobody is both one of these visitors and one of the others, so all are added up. */
function visitParts({ conditions, range, withVisitors }: BreakdownPlan, key: Key): string {
  const rows = `(
    select * from imported_visits
    where ${inRange(range)} and ${conditions.sql} and ${conditions.counted} and ${VISITS_THAT_COUNT}
  ) as c ${key.join}`;
  return `select key, sum(day_clicks) as part_clicks, sum(day_visitors) as part_visitors, 0 as part_unknown
    from (
      select key, sum(clicks) as day_clicks, ${withVisitors ? "uniqExact(visitor)" : "0"} as day_visitors
      from (select ${key.sql} as key, intDiv(at_ms, ${DAY_MS}) as at_day, visitor, clicks from ${rows}) group by key, at_day
    ) group by key`;
}

const COUNT_COLUMNS = ["at_ms", "link_no", "qr", ...clickTexts, "clicks"].join(", ");

/**
 * For days stored as counts, the visitors of a link are known if the range has all of its clicks on that day; those of
 * any other key are not.
 */
function countParts(plan: BreakdownPlan, key: Key, dimension: AccountDimension): string {
  const { conditions, range, accountNo, hasImported } = plan;
  const where = `${inRange(range)} and ${conditions.sql} and ${conditions.counted}`;
  const imported = `union all
    select ${COUNT_COLUMNS} from imported_clicks where ${where} and ${IMPORTED_THAT_COUNT} and ${conditions.cut(dimension)}`;
  const rows = `(
    select ${COUNT_COLUMNS} from compacted_clicks where ${where} and ${COMPACTED_THAT_COUNT} ${hasImported ? imported : ""}
  ) as c ${key.join}`;
  if (dimension !== "link" || conditions.isFiltered) {
    return `select key, sum(clicks) as part_clicks, 0 as part_visitors, 1 as part_unknown
      from (select ${key.sql} as key, clicks from ${rows}) group by key`;
  }
  const visitorsIn = (table: string, counts: string): string => `
    select link_no, day, clicks, visitors from ${table}
    where account_no = ${int(accountNo)} and with_bots = ${conditions.counted === "true"} and ${counts}`;
  return `select key, sum(day_clicks) as part_clicks,
      sum(if(day_clicks = all_clicks, all_visitors, 0)) as part_visitors,
      max(day_clicks <> all_clicks) as part_unknown
    from (
      select link_no as key, toUInt32(intDiv(at_ms, ${DAY_MS})) as at_day, sum(clicks) as day_clicks
      from ${rows} group by key, at_day
    ) as old left join (
      select link_no as key, day as at_day, sum(clicks) as all_clicks, sum(visitors) as all_visitors
      from (
        ${visitorsIn("compacted_visitors", COMPACTED_THAT_COUNT)}
        ${hasImported ? `union all ${visitorsIn("imported_visitors", IMPORTED_THAT_COUNT)}` : ""}
      ) group by key, at_day
    ) as days using (key, at_day) group by key`;
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
