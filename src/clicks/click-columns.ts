export interface ClickColumnDefinition {
  readonly name: string;
  readonly sqlType: "BIGINT" | "BOOLEAN" | "VARCHAR";
  /** What is stored, in words for the operator and the visitor. */
  readonly description: string;
  readonly retention: string;
}

const WITH_THE_ROW =
  "400 days (KURZ_CLICK_RETENTION_DAYS), then only as part of counts per 15 minutes; erased with the link";
const UNTIL_COMPACTION =
  "400 days (KURZ_CLICK_RETENTION_DAYS), then only as a count per link and UTC day; nobody can recompute it once the " +
  "salt of its day is erased, 12 hours after that day; erased with the link";

/** Everything that is kept of a click, in the order of the fields of a journal line. */
export const clickColumns = [
  {
    name: "at_ms",
    sqlType: "BIGINT",
    description: "When the link was opened, in milliseconds since 1970 (UTC)",
    retention: WITH_THE_ROW,
  },
  {
    name: "account_no",
    sqlType: "BIGINT",
    description: "The account that owns the link",
    retention: WITH_THE_ROW,
  },
  {
    name: "link_no",
    sqlType: "BIGINT",
    description: "The link that was opened",
    retention: WITH_THE_ROW,
  },
  {
    name: "bot",
    sqlType: "BOOLEAN",
    description: "Whether a program opened it: a crawler, a link preview, a prefetch, an HTTP library",
    retention: WITH_THE_ROW,
  },
  {
    name: "visitor",
    sqlType: "VARCHAR",
    description:
      "Eight bytes that tell visitors of one account and one UTC day apart, derived with a random salt of that day from " +
      "the network address and the user agent, neither of which is stored; empty with Sec-GPC or DNT",
    retention: UNTIL_COMPACTION,
  },
  {
    name: "country",
    sqlType: "VARCHAR",
    description: "The country of the network address (ISO 3166-1, two letters)",
    retention: WITH_THE_ROW,
  },
  {
    name: "region",
    sqlType: "VARCHAR",
    description: "The region (ISO 3166-2 where known); only where the operator supplies a database that has it",
    retention: WITH_THE_ROW,
  },
  {
    name: "city",
    sqlType: "VARCHAR",
    description: "The city; only where the operator supplies a database that has it",
    retention: WITH_THE_ROW,
  },
  {
    name: "referrer",
    sqlType: "VARCHAR",
    description: "The host name of the page that held the link, never its path; empty with Sec-GPC or DNT",
    retention: WITH_THE_ROW,
  },
  {
    name: "language",
    sqlType: "VARCHAR",
    description: "The preferred language without its region (two or three letters)",
    retention: WITH_THE_ROW,
  },
  {
    name: "device",
    sqlType: "VARCHAR",
    description: "desktop, mobile, tablet or other",
    retention: WITH_THE_ROW,
  },
  {
    name: "browser",
    sqlType: "VARCHAR",
    description: "The browser's family out of a fixed list, without version; empty with Sec-GPC or DNT",
    retention: WITH_THE_ROW,
  },
  {
    name: "os",
    sqlType: "VARCHAR",
    description: "The operating system's family out of a fixed list, without version; empty with Sec-GPC or DNT",
    retention: WITH_THE_ROW,
  },
  {
    name: "source",
    sqlType: "VARCHAR",
    description: "link, or qr for a scanned code",
    retention: WITH_THE_ROW,
  },
  {
    name: "utm_source",
    sqlType: "VARCHAR",
    description: "utm_source of the address the visitor was sent to",
    retention: WITH_THE_ROW,
  },
  {
    name: "utm_medium",
    sqlType: "VARCHAR",
    description: "utm_medium of the address the visitor was sent to",
    retention: WITH_THE_ROW,
  },
  {
    name: "utm_campaign",
    sqlType: "VARCHAR",
    description: "utm_campaign of the address the visitor was sent to",
    retention: WITH_THE_ROW,
  },
  {
    name: "utm_term",
    sqlType: "VARCHAR",
    description: "utm_term of the address the visitor was sent to",
    retention: WITH_THE_ROW,
  },
  {
    name: "utm_content",
    sqlType: "VARCHAR",
    description: "utm_content of the address the visitor was sent to",
    retention: WITH_THE_ROW,
  },
] as const satisfies readonly ClickColumnDefinition[];

export type ClickColumn = (typeof clickColumns)[number];

interface ValueTypes {
  readonly BIGINT: number;
  readonly BOOLEAN: boolean;
  readonly VARCHAR: string;
}

/** One click, one member per column; an empty text means that nothing is known. */
export type Click = { readonly [C in ClickColumn as C["name"]]: ValueTypes[C["sqlType"]] };
