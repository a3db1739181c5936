import type { AccountDimension } from "#contract/analytics.ts";
import type { TimeRange } from "./clicks-engine.ts";
import { int } from "./duckdb-session.ts";
import { type BreakdownPlan, rawRows, type TopKey } from "./report-breakdown.ts";
import { tagsOf } from "./report-conditions.ts";
import { DAY_MS } from "./slots.ts";

/** Keys of one dimension whose visitors are counted together: each is a bit of one number. */
export interface KeyGroup {
  readonly dimension: AccountDimension;
  readonly keys: readonly TopKey[];
}

const BITS_MAX = 60;

export function groupKeys(dimension: AccountDimension, keys: readonly TopKey[]): KeyGroup[] {
  const groups: KeyGroup[] = [];
  for (let first = 0; first < keys.length; first += BITS_MAX) {
    groups.push({ dimension, keys: keys.slice(first, first + BITS_MAX) });
  }
  return groups;
}

type Bind = (value: string) => string;

/**
 * Counts the visitors of all keys in one pass: for each group, every visitor of a day gets the bits of the keys seen.
 * Returns rows of group, key (both by index) and visitors.
 */
export function visitorsSql(
  plan: BreakdownPlan,
  range: TimeRange,
  groups: readonly KeyGroup[],
): { readonly sql: string; readonly values: readonly string[] } {
  const values = [...plan.conditions.values];
  const bind: Bind = (value) => `$${values.push(value)}`;
  const parts = groups.map((group, index) => bitsOf(plan, group, `g${index}`, bind));
  const masks = parts.map(({ bits }, index) => `bit_or(${bits}) as m${index}`);
  const counts = groups.map(
    ({ keys }, index) => `
      select ${index}, key::integer, sum(visitors)::double
      from (select m${index} as bits, count(*) as visitors from visits group by 1) m,
        (select unnest(range(${keys.length})) as key) where bits & (1::ubigint << key::ubigint) <> 0 group by key`,
  );
  const sql = `
    with visits as materialized (
      select (r.at_ms // ${DAY_MS})::integer as day, r.visitor, ${masks.join(", ")}
      from (${rawRows(plan, range)} and visitor is not null) r ${parts.map(({ join }) => join).join(" ")} group by day, r.visitor
    ) ${counts.join(" union all ")}`;
  return { sql, values };
}

interface Bits {
  readonly join: string;
  readonly bits: string;
}

/** Assigns a click the bits of its keys, through a join named `g`. */
function bitsOf({ accountNo }: BreakdownPlan, { dimension, keys }: KeyGroup, g: string, bind: Bind): Bits {
  const sqlOf = ({ key }: TopKey): string => {
    if (typeof key === "number") return int(key);
    return key === null ? "null" : bind(key);
  };
  const table = `(values ${keys.map((key, bit) => `(1::ubigint << ${bit}, ${sqlOf(key)})`).join(", ")})`;
  if (dimension !== "tag") {
    const column = dimension === "link" ? "r.link_no" : `r.${dimension}`;
    const join = `left join ${table} ${g} (bits, key) on ${g}.key is not distinct from ${column}`;
    return { join, bits: `coalesce(${g}.bits, 0)` };
  }
  const links = `select link_no, bit_or(k.bits) as bits
    from ${tagsOf(accountNo)} t left join ${table} k (bits, key) on k.key = t.tag group by link_no`;
  const untagged = keys.findIndex(({ key }) => key === null);
  const none = untagged < 0 ? "0" : `1::ubigint << ${untagged}`;
  return {
    join: `left join (${links}) ${g} on ${g}.link_no = r.link_no`,
    bits: `case when ${g}.link_no is null then ${none} else coalesce(${g}.bits, 0) end`,
  };
}
