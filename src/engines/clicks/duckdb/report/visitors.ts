import type { AccountDimension } from "#contract/analytics.ts";
import { textGroups } from "../../click-format.ts";
import { int } from "../session.ts";
import type { BreakdownPlan, TopKey } from "./breakdown.ts";
import { tagsOf } from "./conditions.ts";

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

/** Keys with the position of their group among all groups. */
interface NumberedGroup extends KeyGroup {
  readonly index: number;
}

/**
 * Counts the visitors of all keys of some rows in one pass: for each group, every visitor of a day gets the bits of the keys seen.
 * Returns rows of group, key (both by index) and visitors.
 */
export function visitorsSql(
  plan: BreakdownPlan,
  rows: string,
  groups: readonly KeyGroup[],
): { readonly sql: string; readonly values: readonly string[] } {
  const values = [...plan.conditions.values];
  const bind: Bind = (value) => `$${values.push(value)}`;
  const numbered = groups.map((group, index): NumberedGroup => ({ ...group, index }));
  const joins = [...textJoins(numbered, bind), ...otherJoins(plan, numbered, bind)];
  const masks = groups.map((_, index) => {
    const { bits = "0" } = joins.flatMap((join) => join.masks).find((mask) => mask.index === index) ?? {};
    return `bit_or(${bits}) as m${index}`;
  });
  const counts = groups.map(
    ({ keys }, index) => `
      select ${index}, key::integer, sum(visitors)::double
      from (select m${index} as bits, count(*) as visitors from visits group by 1) m,
        (select unnest(range(${keys.length})) as key) where bits & (1::ubigint << key::ubigint) <> 0 group by key`,
  );
  const sql = `
    with visits as materialized (
      select r.visitor, ${masks.join(", ")}
      from (${rows} and visitor is not null) r ${joins.map(({ sql }) => sql).join(" ")} group by r.visitor
    ) ${counts.join(" union all ")}`;
  return { sql, values };
}

interface Join {
  readonly sql: string;
  /** For each group, by index, the bits of a click's keys. */
  readonly masks: readonly { readonly index: number; readonly bits: string }[];
}

/** One join for all texts of a text group: the bits belong to the number, not to the click. */
function textJoins(groups: readonly NumberedGroup[], bind: Bind): Join[] {
  return textGroups.flatMap(({ name, table, texts }): Join[] => {
    const own = groups.filter(({ dimension }) => texts.some((text) => text.name === dimension));
    if (own.length === 0) return [];
    const bits = own.map(
      ({ dimension, keys, index }) =>
        `left join ${keyTable(keys, bind)} k${index} (bits, key) on k${index}.key is not distinct from t.${dimension}`,
    );
    const columns = own.map(({ index }) => `coalesce(k${index}.bits, 0) as b${index}`);
    return [
      {
        sql: `join (select t.no, ${columns.join(", ")} from ${table} t ${bits.join(" ")}) s_${name}
          on s_${name}.no = r.${name}_no`,
        masks: own.map(({ index }) => ({ index, bits: `s_${name}.b${index}` })),
      },
    ];
  });
}

function otherJoins({ accountNo }: BreakdownPlan, groups: readonly NumberedGroup[], bind: Bind): Join[] {
  return groups.flatMap(({ dimension, keys, index }): Join[] => {
    const g = `g${index}`;
    if (dimension === "link") {
      const sql = `left join ${keyTable(keys, bind)} ${g} (bits, key) on ${g}.key = r.link_no`;
      return [{ sql, masks: [{ index, bits: `coalesce(${g}.bits, 0)` }] }];
    }
    if (dimension === "source") {
      const bitOf = (source: string) => maskOf(keys.findIndex(({ key }) => key === source));
      return [{ sql: "", masks: [{ index, bits: `case when r.qr then ${bitOf("qr")} else ${bitOf("link")} end` }] }];
    }
    if (dimension !== "tag") return [];
    const links = `select link_no, bit_or(k.bits) as bits
      from ${tagsOf(accountNo)} t left join ${keyTable(keys, bind)} k (bits, key) on k.key = t.tag group by link_no`;
    const none = maskOf(keys.findIndex(({ key }) => key === null));
    return [
      {
        sql: `left join (${links}) ${g} on ${g}.link_no = r.link_no`,
        masks: [{ index, bits: `case when ${g}.link_no is null then ${none} else coalesce(${g}.bits, 0) end` }],
      },
    ];
  });
}

const maskOf = (bit: number): string => (bit < 0 ? "0::ubigint" : `1::ubigint << ${bit}`);

function keyTable(keys: readonly TopKey[], bind: Bind): string {
  const sqlOf = ({ key }: TopKey): string => {
    if (typeof key === "number") return int(key);
    return key === null ? "null" : bind(key);
  };
  return `(values ${keys.map((key, bit) => `(1::ubigint << ${bit}, ${sqlOf(key)})`).join(", ")})`;
}
