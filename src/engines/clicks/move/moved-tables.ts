import { clickTexts } from "../click-format.ts";

/** How a value is written for the checksum, which both engines compute by themselves. */
export type MovedKind = "number" | "optional number" | "flag" | "text" | "texts";

export interface MovedColumn {
  readonly name: string;
  readonly kind: MovedKind;
}

/** A table on the server, apart from columns that say which move its rows are of. */
export interface MovedTable {
  readonly name: MovedTableName;
  readonly columns: readonly MovedColumn[];
  /** What its rows are compared by; `null` if they belong to no day. */
  readonly dayOf: "at_ms" | "day" | null;
}

export type MovedTableName =
  | "clicks"
  | "compacted_clicks"
  | "compacted_visitors"
  | "erased_links"
  | "erased_accounts"
  | "link_tags"
  | "imported_clicks"
  | "imported_visits"
  | "imported_visitors"
  | "imported_batches";

const numbers = (...names: readonly string[]): readonly MovedColumn[] =>
  names.map((name) => ({ name, kind: "number" }));
const flags = (...names: readonly string[]): readonly MovedColumn[] => names.map((name) => ({ name, kind: "flag" }));
const texts: readonly MovedColumn[] = clickTexts.map((name) => ({ name, kind: "text" }));

/** Everything that reports are made from. Summaries aren't among them: they can be computed again. */
export const movedTables: readonly MovedTable[] = [
  {
    name: "clicks",
    columns: [
      ...numbers("at_ms", "account_no", "link_no"),
      ...flags("bot", "qr"),
      { name: "visitor", kind: "optional number" },
      ...texts,
    ],
    dayOf: "at_ms",
  },
  {
    name: "compacted_clicks",
    columns: [...numbers("at_ms", "account_no", "link_no"), ...flags("bot", "qr"), ...texts, ...numbers("clicks")],
    dayOf: "at_ms",
  },
  {
    name: "compacted_visitors",
    columns: [...numbers("day", "account_no", "link_no"), ...flags("with_bots"), ...numbers("clicks", "visitors")],
    dayOf: "day",
  },
  { name: "erased_links", columns: numbers("account_no", "link_no"), dayOf: null },
  { name: "erased_accounts", columns: numbers("account_no"), dayOf: null },
  {
    name: "link_tags",
    columns: [...numbers("position", "account_no", "link_no"), { name: "tags", kind: "texts" }],
    dayOf: null,
  },
  {
    name: "imported_clicks",
    columns: [
      ...[...numbers("at_ms", "account_no", "link_no"), ...flags("bot", "qr"), ...texts, ...numbers("clicks")],
      ...[...flags("has_hour"), ...numbers("known", "earlier", "all_known")],
    ],
    dayOf: "at_ms",
  },
  {
    name: "imported_visits",
    columns: [
      ...[...numbers("at_ms", "account_no", "link_no"), ...flags("bot", "qr"), ...texts, ...numbers("clicks")],
      { name: "visitor", kind: "optional number" },
    ],
    dayOf: "at_ms",
  },
  {
    name: "imported_visitors",
    columns: [...numbers("day", "account_no", "link_no"), ...flags("with_bots"), ...numbers("clicks", "visitors")],
    dayOf: "day",
  },
  {
    name: "imported_batches",
    columns: [...numbers("account_no", "no"), { name: "import", kind: "text" }],
    dayOf: null,
  },
];

/** Between the values of a row; no text contains it. */
export const VALUE_SEPARATOR = "\t";
/** Between the tags of a link. */
export const TEXT_SEPARATOR = "\u001f";

/** The rows of one UTC day: how many, and the sum of their hashes, which is the same in any order. */
export interface DayDigest {
  readonly day: number;
  readonly rows: number;
  readonly sum: string;
}

/** After every day that a click can have. */
export const DAY_END = 10_000_000;

/** From a day to before another one. */
export interface DayRange {
  readonly fromDay: number;
  readonly toDay: number;
}
