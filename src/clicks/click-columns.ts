export interface ClickColumnDefinition {
  readonly name: string;
  readonly sqlType: "BIGINT" | "BOOLEAN" | "VARCHAR";
  /** What is stored, in words for operators and visitors. */
  readonly description: string;
  readonly retention: string;
}

const IN_COUNTS = "400 days, then in counts per 15 minutes";
const IN_DAILY_COUNTS = "400 days, then in counts per link and UTC day";

/** Everything stored about a click, in the field order of a journal line. */
export const clickColumns = [
  {
    name: "at_ms",
    sqlType: "BIGINT",
    description: "When the link was opened, in milliseconds since 1970 (UTC)",
    retention: IN_COUNTS,
  },
  {
    name: "account_no",
    sqlType: "BIGINT",
    description: "The account that owns the link",
    retention: IN_COUNTS,
  },
  {
    name: "link_no",
    sqlType: "BIGINT",
    description: "The link that was opened",
    retention: IN_COUNTS,
  },
  {
    name: "bot",
    sqlType: "BOOLEAN",
    description: "Whether a program opened it: a crawler, a link preview, a prefetch, an HTTP library",
    retention: IN_COUNTS,
  },
  {
    name: "visitor",
    sqlType: "VARCHAR",
    description:
      "Eight bytes that distinguish visitors of one account within one UTC day, derived with that day's random salt from " +
      "the network address and the user agent, neither of which is stored; empty with Sec-GPC or DNT",
    retention: IN_DAILY_COUNTS,
  },
  {
    name: "country",
    sqlType: "VARCHAR",
    description: "The country of the network address (ISO 3166-1, two letters)",
    retention: IN_COUNTS,
  },
  {
    name: "region",
    sqlType: "VARCHAR",
    description: "The region (ISO 3166-2 if known), if the operator supplies a database that has it",
    retention: IN_COUNTS,
  },
  {
    name: "city",
    sqlType: "VARCHAR",
    description: "The city, if the operator supplies a database that has it",
    retention: IN_COUNTS,
  },
  {
    name: "referrer",
    sqlType: "VARCHAR",
    description: "The host name of the page with the link, never its path; empty with Sec-GPC or DNT",
    retention: IN_COUNTS,
  },
  {
    name: "language",
    sqlType: "VARCHAR",
    description: "The preferred language without its region (two or three letters)",
    retention: IN_COUNTS,
  },
  {
    name: "device",
    sqlType: "VARCHAR",
    description: "desktop, mobile, tablet or other",
    retention: IN_COUNTS,
  },
  {
    name: "browser",
    sqlType: "VARCHAR",
    description: "The browser family from a fixed list, without version; empty with Sec-GPC or DNT",
    retention: IN_COUNTS,
  },
  {
    name: "os",
    sqlType: "VARCHAR",
    description: "The operating system family from a fixed list, without version; empty with Sec-GPC or DNT",
    retention: IN_COUNTS,
  },
  {
    name: "source",
    sqlType: "VARCHAR",
    description: "`link`, or `qr` for a scanned code",
    retention: IN_COUNTS,
  },
  {
    name: "utm_source",
    sqlType: "VARCHAR",
    description: "utm_source of the URL the visitor was redirected to",
    retention: IN_COUNTS,
  },
  {
    name: "utm_medium",
    sqlType: "VARCHAR",
    description: "utm_medium of the URL the visitor was redirected to",
    retention: IN_COUNTS,
  },
  {
    name: "utm_campaign",
    sqlType: "VARCHAR",
    description: "utm_campaign of the URL the visitor was redirected to",
    retention: IN_COUNTS,
  },
  {
    name: "utm_term",
    sqlType: "VARCHAR",
    description: "utm_term of the URL the visitor was redirected to",
    retention: IN_COUNTS,
  },
  {
    name: "utm_content",
    sqlType: "VARCHAR",
    description: "utm_content of the URL the visitor was redirected to",
    retention: IN_COUNTS,
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
