// The order of its texts, after time, account, link, bot and visitor.
const NAMES = {
  place: ["country", "region", "city"],
  client: ["language", "device", "browser", "os"],
  referrer: ["referrer"],
  campaign: ["utm_source", "utm_medium", "utm_campaign", "utm_term", "utm_content"],
} as const;
const COLUMNS = [
  ...[
    "at_ms",
    "account_no",
    "link_no",
    "bot",
    "visitor",
    "country",
    "region",
    "city",
    "referrer",
    "language",
    "device",
  ],
  ...["browser", "os", "source", "utm_source", "utm_medium", "utm_campaign", "utm_term", "utm_content"],
];
const GROUPS = Object.values(NAMES).map((names) => names.map((name) => COLUMNS.indexOf(name)));
const SOURCE = COLUMNS.indexOf("source");

/**
 * The lines of format 1, which had all texts in every line, in format 2. Texts get numbers from `firstNo` on; there are
 * fewer of them than the block has bytes, so numbers that begin at the positions of blocks never meet.
 */
export function fromFormat1(lines: string, firstNo: number, definitions: Map<number, string>): string {
  const numbers = new Map<string, number>();
  let converted = "";
  for (const line of lines.split("\n").slice(0, -1)) {
    const fields = line.split("\t");
    // Left as it is, so that whoever stores it refuses it.
    if (fields.length !== COLUMNS.length) {
      converted += `${line}\n`;
      continue;
    }
    const [atMs, accountNo, linkNo, bot, visitor] = fields;
    const flags = (bot === "1" ? 1 : 0) + (fields[SOURCE] === "qr" ? 2 : 0);
    const texts = GROUPS.map((group) => {
      const values = group.map((index) => fields[index]).join("\t");
      // Groups have different numbers of texts, so the same values are never those of another.
      const no = numbers.get(values) ?? firstNo + numbers.size;
      numbers.set(values, no);
      definitions.set(no, values);
      return no;
    });
    converted += `${[atMs, accountNo, linkNo, flags, visitor, ...texts].join("\t")}\n`;
  }
  return converted;
}
