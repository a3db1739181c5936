import { clickTexts, textGroups } from "#engines/clicks/click-format.ts";
import { DAY_MS } from "#engines/clicks/slots.ts";

/** A way to store the same clicks in ClickHouse. */
export interface ClickHouseLayout {
  readonly name: string;
  readonly tables: readonly string[];
  /** Statements that create and fill its tables from `clicks`. */
  readonly fill: readonly string[];
  /** Counts by a text within the clicks that a condition selects. */
  by(text: (typeof clickTexts)[number], condition: string): string;
}

const OWN = "at_ms, account_no, link_no, bot, qr, visitor, node, batch";
const OWN_TYPES = `at_ms UInt64, account_no UInt32, link_no UInt32, bot Bool, qr Bool, visitor Nullable(UInt64),
  node LowCardinality(String), batch UInt64`;
const DAILY = `partition by intDiv(at_ms, ${DAY_MS})`;
const BY_LINK = "order by (account_no, link_no, at_ms)";

const counts = (text: string, from: string): string =>
  `select ${text}, count(), uniqExact(visitor) from ${from} group by ${text}`;

function textsInRows(name: string, type: string, order: string): ClickHouseLayout {
  const texts = clickTexts.map((text) => `${text} ${type}`).join(", ");
  return {
    name,
    tables: [name],
    fill: [
      `create table ${name} (${OWN_TYPES}, ${texts}) engine = MergeTree ${order}`,
      `insert into ${name} select ${OWN}, ${clickTexts.join(", ")} from clicks`,
    ],
    by: (text, condition) => counts(text, `${name} where ${condition}`),
  };
}

/** As in DuckDB: a number for each combination of texts, and a table that says which. */
const numbers: ClickHouseLayout = {
  name: "numbers",
  tables: ["numbers", ...textGroups.map(({ table }) => table)],
  fill: [
    ...textGroups.flatMap(({ table, texts }) => {
      const names = texts.map(({ name }) => name).join(", ");
      return [
        `create table ${table} (no UInt32, ${texts.map(({ name }) => `${name} String`).join(", ")})
          engine = MergeTree order by no`,
        `insert into ${table} select rowNumberInAllBlocks(), ${names} from (select distinct ${names} from clicks)`,
      ];
    }),
    `create table numbers (${OWN_TYPES}, ${textGroups.map(({ name }) => `${name}_no UInt32`).join(", ")})
      engine = MergeTree ${DAILY} ${BY_LINK}`,
    `insert into numbers select ${OWN}, ${textGroups.map(({ table }) => `${table}.no`).join(", ")} from clicks
      ${textGroups
        .map(
          ({ table, texts }) =>
            `join ${table} on ${texts.map(({ name }) => `toString(clicks.${name}) = ${table}.${name}`).join(" and ")}`,
        )
        .join(" ")}`,
  ],
  by(text, condition) {
    const group = textGroups.find(({ texts }) => texts.some(({ name }) => name === text));
    if (group === undefined) throw new Error(`no group has ${text}`);
    return counts(
      text,
      `(select ${group.name}_no, visitor from numbers where ${condition}) as some
      join ${group.table} on ${group.table}.no = some.${group.name}_no`,
    );
  },
};

/** The first is the one that Kurz uses. */
export const clickHouseLayouts: readonly ClickHouseLayout[] = [
  textsInRows("low_cardinality", "LowCardinality(String)", `${DAILY} ${BY_LINK}`),
  numbers,
  textsInRows("strings", "String", `${DAILY} ${BY_LINK}`),
  textsInRows("monthly", "LowCardinality(String)", `partition by intDiv(at_ms, ${DAY_MS * 30}) ${BY_LINK}`),
  textsInRows("by_time", "LowCardinality(String)", `${DAILY} order by (account_no, at_ms)`),
];
