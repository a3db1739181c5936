import { type CountedDimension, countedDimensions, momentOfDay } from "#engines/clicks/click-counts.ts";
import { DAY_MS, SLOT_MS } from "#engines/clicks/slots.ts";
import type { ImportedCounts } from "../../import-source.ts";
import { countedWords } from "../counted-values.ts";
import type { Columns, CountField } from "./csv-columns.ts";
import { readDate } from "./csv-dates.ts";
import { flag } from "./csv-flag.ts";
import { addressOf, cellReader } from "./csv-link.ts";
import { readWholeNumber } from "./csv-number.ts";
import { addressText, type LinksByAddress } from "./csv-source-id.ts";
import type { UnknownValue } from "./unknown-values.ts";

/** With what couldn't be understood of its values. */
export type ReadCounts =
  | { readonly counts: ImportedCounts; readonly unknown: readonly UnknownValue[] }
  | { readonly problem: string }
  | null;

interface Options {
  readonly timeZone: string;
  /** Of rows without one. */
  readonly host: string;
  readonly from: number | null;
  /** Of the file with links. */
  readonly links: LinksByAddress;
}

const CLICKS_MAX = 2 ** 32 - 1;
const YEAR_9999 = Date.UTC(9999, 0, 1);

/** A row of clicks on a day, or in an hour; `null` if it counts none. */
export function readCounts(
  columns: Columns<CountField>,
  cells: readonly string[],
  { timeZone, host, from, links }: Options,
): ReadCounts {
  const cell = cellReader(columns, cells);
  const named = addressOf(cell);
  if (named.slug === "") return { problem: "The row has no slug." };
  const address = { host: named.host || host, slug: named.slug };
  const where = addressText(address);
  // Some links of the file may be without a host, too.
  const sourceId = links.sourceIdOf(address) ?? (named.host === "" ? links.sourceIdOf(named) : null) ?? where;
  const text = cell("clicks");
  const clicks = readWholeNumber(text);
  if (clicks === null || clicks > CLICKS_MAX) {
    return { problem: `clicks isn't a whole number: "${text.slice(0, 50)}".` };
  }
  const date = readDate(cell("date"), timeZone);
  if (!date || date.ms > YEAR_9999) {
    return { problem: `date isn't a date such as 2026-01-31: "${cell("date").slice(0, 50)}".` };
  }
  if (clicks === 0 || (from !== null && date.ms < from)) return null;
  const known = countedDimensions.filter((name) => columns.has(name) && cell(name) !== "");
  const values = Object.fromEntries(known.map((name) => [name, countedValue(name, cell(name))]));
  const bot = cell("bot") === "" ? false : flag(cell("bot"));
  const unknown = known.filter((name) => values[name] === "").map((name) => unknownValue(name, cell(name)));
  return {
    unknown: bot === undefined ? [...unknown, unknownBot(cell("bot"))] : unknown,
    counts: {
      sourceId,
      where,
      atMs: date.hasTime ? Math.floor(date.ms / SLOT_MS) * SLOT_MS : momentOfDay(Math.floor(date.ms / DAY_MS)),
      hasHour: date.hasTime,
      bot: bot === true,
      clicks,
      cuts: known.length === 0 ? [] : [{ dimensions: known, counts: [{ values, clicks }] }],
    },
  };
}

/** As clicks of our own have it, as far as that can be told. */
function countedValue(dimension: CountedDimension, text: string): string {
  if (dimension === "country") return /^[a-z]{2}$/i.test(text) ? text.toUpperCase() : "";
  if (dimension === "device") return countedWords.device(text);
  // Reports may show others, too.
  if (dimension === "browser" || dimension === "os") return countedWords[dimension](text) || text;
  if (dimension === "language") return text.split(/[-_]/, 1)[0]?.toLowerCase() ?? "";
  if (dimension === "source") return text.toLowerCase();
  if (dimension !== "referrer") return text;
  const url = URL.parse(text.includes("://") ? text : `https://${text}`);
  return url?.hostname.includes(".") ? url.hostname : "";
}

const examples: Readonly<Partial<Record<CountedDimension, string>>> = {
  country: "a code such as DE",
  device: "desktop, mobile, tablet or other",
};

const unknownValue = (dimension: CountedDimension, text: string): UnknownValue => ({
  what: `${dimension} "${text.slice(0, 50)}" isn't ${examples[dimension] ?? "a value such as news.example"}`,
  countsAs: "unknown",
});

const unknownBot = (text: string): UnknownValue => ({
  what: `bot "${text.slice(0, 50)}" isn't true or false`,
  countsAs: "clicks by people",
});
