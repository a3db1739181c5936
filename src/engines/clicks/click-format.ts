import type { AccountDimension } from "#contract/analytics.ts";

/** The journal's format, in the header of its blocks. To be raised with every change of a click line or a text group. */
export const CLICK_FORMAT = 3;

interface StoredField {
  readonly name: string;
  /** What is stored, in words for operators and visitors. */
  readonly description: string;
  readonly retention: string;
}

const IN_COUNTS = "400 days, then in counts per 15 minutes";
const IN_DAILY_COUNTS = "400 days, then in counts per link and UTC day";

/** What every click has of its own. */
export const ownFields = [
  {
    name: "at_ms",
    description: "When the link was opened, in milliseconds since 1970 (UTC)",
    retention: IN_COUNTS,
  },
  { name: "account_no", description: "The account that owns the link", retention: IN_COUNTS },
  { name: "link_no", description: "The link that was opened", retention: IN_COUNTS },
  {
    name: "bot",
    description: "Whether a program opened it: a crawler, a link preview, a prefetch, an HTTP library",
    retention: IN_COUNTS,
  },
  { name: "source", description: "`link`, or `qr` for a scanned code", retention: IN_COUNTS },
  {
    name: "visitor",
    description:
      "Eight bytes that distinguish visitors of one account within one UTC day, derived with that day's random salt from " +
      "the network address and the user agent, neither of which is stored; empty with Sec-GPC or DNT",
    retention: IN_DAILY_COUNTS,
  },
] as const satisfies readonly StoredField[];

/** Link and tags of a click aren't texts of it, and its source is a flag. */
type TextDimension = Exclude<AccountDimension, "link" | "tag" | "source">;

const text = <const N extends TextDimension>(name: N, description: string) => ({
  name,
  description,
  retention: IN_COUNTS,
});

/**
 * Texts that many clicks share. Those of one group are stored once and get a number, which is all that a click has of
 * them. What varies independently is in different groups: all texts as one group would have hundreds of times as many
 * combinations. A new text goes to the end of its group, so that earlier definitions merely lack it.
 */
export const textGroups = [
  {
    name: "place",
    table: "places",
    texts: [
      text("country", "The country of the network address (ISO 3166-1, two letters)"),
      text("region", "The region (ISO 3166-2 if known), if the operator supplies a database that has it"),
      text("city", "The city, if the operator supplies a database that has it"),
    ],
  },
  {
    name: "client",
    table: "clients",
    texts: [
      text("language", "The preferred language without its region (two or three letters)"),
      text("device", "desktop, mobile, tablet or other"),
      text("browser", "The browser family from a fixed list, without version; empty with Sec-GPC or DNT"),
      text("os", "The operating system family from a fixed list, without version; empty with Sec-GPC or DNT"),
    ],
  },
  {
    name: "referrer",
    table: "referrers",
    texts: [text("referrer", "The host name of the page with the link, never its path; empty with Sec-GPC or DNT")],
  },
  {
    name: "campaign",
    table: "campaigns",
    texts: [
      text("utm_source", "utm_source of the URL the visitor was redirected to"),
      text("utm_medium", "utm_medium of the URL the visitor was redirected to"),
      text("utm_campaign", "utm_campaign of the URL the visitor was redirected to"),
      text("utm_term", "utm_term of the URL the visitor was redirected to"),
      text("utm_content", "utm_content of the URL the visitor was redirected to"),
      text("domain", "The account's own domain that the link is on; empty for the instance's"),
      text("rule", "Which of the link's rules decided where the visitor was redirected, and which way of its split"),
    ],
  },
] as const;

export type TextGroup = (typeof textGroups)[number];
export type GroupName = TextGroup["name"];
export type ClickText = TextGroup["texts"][number]["name"];

/** All texts of a click. */
export const clickTexts: readonly ClickText[] = textGroups.flatMap(({ texts }) => texts.map(({ name }) => name));

/** Everything that is stored about a click. */
export const storedFields: readonly StoredField[] = [
  ...ownFields,
  ...textGroups.flatMap(({ texts }): readonly StoredField[] => texts),
];

/** The compiler knows if a dimension of the contract is missing. */
const everyDimension: TextDimension extends ClickText ? true : never = true;
void everyDimension;

export const groupOf = (name: ClickText): TextGroup => {
  const group = textGroups.find(({ texts }) => texts.some((one) => one.name === name));
  if (group === undefined) throw new Error(`no text group has ${name}`);
  return group;
};

/** The texts behind a number, separated by tabs; nothing if their definition was lost. An empty text means unknown. */
export type TextsOf = (no: number) => string | undefined;

/** The fields of a click line, in order: tab-separated, ended by a line feed. */
export const lineFields = ["at_ms", "account_no", "link_no", "flags", "visitor", ...textGroups.map(({ name }) => name)];

export const BOT_FLAG = 1;
export const QR_FLAG = 2;
export const VISITOR_DIGITS = 16;

/** One click; an empty text means that nothing is known. */
export type Click = {
  readonly at_ms: number;
  readonly account_no: number;
  readonly link_no: number;
  readonly bot: boolean;
  readonly source: "link" | "qr";
  readonly visitor: string;
} & { readonly [T in ClickText]: string };

const OWN_LINE_FIELDS = lineFields.length - textGroups.length;

/** Reads a line; texts whose definition was lost are empty. */
export function parseClick(line: string, textsOf: TextsOf): Click {
  const fields = line.endsWith("\n") ? line.slice(0, -1).split("\t") : [];
  if (fields.length !== lineFields.length) throw new Error(`not a click: ${fields.length} fields`);
  const [atMs, accountNo, linkNo, flags, visitor = ""] = fields;
  const texts = textGroups.flatMap((group, index) => {
    const values = textsOf(Number(fields[OWN_LINE_FIELDS + index]))?.split("\t") ?? [];
    return group.texts.map(({ name }, at) => [name, values[at] ?? ""] as const);
  });
  return {
    at_ms: Number(atMs),
    account_no: Number(accountNo),
    link_no: Number(linkNo),
    bot: (Number(flags) & BOT_FLAG) !== 0,
    source: (Number(flags) & QR_FLAG) !== 0 ? "qr" : "link",
    visitor,
    ...(Object.fromEntries(texts) as { [T in ClickText]: string }),
  };
}

export const flagsOf = ({ bot, source }: Pick<Click, "bot" | "source">): number =>
  (bot ? BOT_FLAG : 0) + (source === "qr" ? QR_FLAG : 0);
