import type { ClickShapes } from "#clicks/click-shapes.ts";
import type { Definition } from "#clicks/journal/definitions.ts";
import { bots, type Client, desktops, handhelds } from "./clients.ts";
import { type Country, countries } from "./countries.ts";
import { countryPicker } from "./rhythm.ts";
import { weightedChoice } from "./weighted-choice.ts";

/** Someone on one day, with what stays the same from click to click. */
export interface SampleVisitor {
  /** Sixteen hexadecimal digits, or nothing. */
  readonly hash: string;
  readonly place: Definition;
  readonly client: Definition;
  /** Sends Sec-GPC or DNT, so neither a visitor hash nor a referrer is stored. */
  readonly isPrivate: boolean;
  readonly isHandheld: boolean;
}

const PRIVATE_SHARE = 0.04;
const RETURNING_SHARE = 0.28;
const RECENT_MAX = 4096;
const BOTS_PER_DAY = 300;
const DAY_MS = 86_400_000;

const hexBytes = Array.from({ length: 256 }, (_, value) => value.toString(16).padStart(2, "0"));

/** Who clicks: some for the first time that day, some again. Visitors are forgotten at the end of the UTC day. */
export function sampleVisitors(random: () => number, shapes: ClickShapes) {
  const pickCountry = countryPicker(random);
  const languages = new Map<Country, () => string>(
    countries.map((country) => [country, weightedChoice(country.languages, random)]),
  );
  const pickHandheld = weightedChoice(handhelds, random);
  const pickDesktop = weightedChoice(desktops, random);
  const pickBot = weightedChoice(bots, random);
  let recent: SampleVisitor[] = [];
  let crawlers: SampleVisitor[] = [];
  let created = 0;
  let day = Number.NaN;

  const fourBytes = (): string => {
    const bits = random() * 2 ** 32;
    return `${hexBytes[bits >>> 24]}${hexBytes[(bits >>> 16) & 255]}${hexBytes[(bits >>> 8) & 255]}${hexBytes[bits & 255]}`;
  };
  const hash = (): string => fourBytes() + fourBytes();

  const newVisitor = (ms: number, handheldShare: number): SampleVisitor => {
    const country = pickCountry(ms);
    const language = languages.get(country)?.() ?? "";
    const isHandheld = random() < handheldShare;
    const { device, browser, os } = isHandheld ? pickHandheld() : pickDesktop();
    const isPrivate = random() < PRIVATE_SHARE;
    return {
      hash: isPrivate ? "" : hash(),
      place: shapes.place(`${country.code}\t\t`),
      client: shapes.client(isPrivate ? `${language}\t${device}\t\t` : `${language}\t${device}\t${browser}\t${os}`),
      isPrivate,
      isHandheld,
    };
  };

  const newCrawler = (): SampleVisitor => {
    const { device, browser, os }: Client = pickBot();
    const country = random() < 0.7 ? "US" : "DE";
    return {
      hash: hash(),
      place: shapes.place(`${country}\t\t`),
      client: shapes.client(`\t${device}\t${browser}\t${os}`),
      isPrivate: false,
      isHandheld: false,
    };
  };

  const startDayOf = (ms: number): void => {
    if (Math.floor(ms / DAY_MS) === day) return;
    day = Math.floor(ms / DAY_MS);
    recent = [];
    crawlers = [];
  };

  return {
    person(ms: number, handheldShare: number): SampleVisitor {
      startDayOf(ms);
      if (random() < RETURNING_SHARE) {
        const known = recent[Math.floor(random() * recent.length)];
        if (known) return known;
      }
      const visitor = newVisitor(ms, handheldShare);
      recent[created % RECENT_MAX < recent.length ? created % RECENT_MAX : recent.length] = visitor;
      created += 1;
      return visitor;
    },

    bot(ms: number): SampleVisitor {
      startDayOf(ms);
      const place = Math.floor(random() * BOTS_PER_DAY);
      const known = crawlers[Math.min(place, crawlers.length)];
      if (known) return known;
      const crawler = newCrawler();
      crawlers.push(crawler);
      return crawler;
    },
  };
}
