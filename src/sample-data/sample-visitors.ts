import { bots, type Client, desktops, handhelds } from "./clients.ts";
import { type Country, countries } from "./countries.ts";
import { countryDraws } from "./rhythm.ts";
import { weighted } from "./weighted-choice.ts";

/** Somebody of a day, in the fields of a journal line that do not change from click to click. */
export interface Visitor {
  /** Visitor and place, up to the tab before the referrer. */
  readonly before: string;
  /** Language and client, from the tab after the referrer to the one before the source. */
  readonly after: string;
  /** Sends Sec-GPC or DNT: neither told from others nor asked where they come from. */
  readonly isPrivate: boolean;
  readonly isHandheld: boolean;
}

const PRIVATE_SHARE = 0.04;
const RETURNING_SHARE = 0.28;
const RECENT = 4096;
const BOTS_A_DAY = 300;
const DAY_MS = 86_400_000;

const bytes = Array.from({ length: 256 }, (_, value) => value.toString(16).padStart(2, "0"));

/** Who clicks: some for the first time on a day, some again. On the next UTC day nobody is known any more. */
export function visitorDraws(random: () => number) {
  const drawCountry = countryDraws(random);
  const languages = new Map<Country, () => string>(
    countries.map((country) => [country, weighted(country.languages, random)]),
  );
  const drawHandheld = weighted(handhelds, random);
  const drawDesktop = weighted(desktops, random);
  const drawBot = weighted(bots, random);
  let recent: Visitor[] = [];
  let crawlers: Visitor[] = [];
  let made = 0;
  let day = Number.NaN;

  const fourBytes = (): string => {
    const drawn = random() * 2 ** 32;
    return `${bytes[drawn >>> 24]}${bytes[(drawn >>> 16) & 255]}${bytes[(drawn >>> 8) & 255]}${bytes[drawn & 255]}`;
  };
  const hash = (): string => fourBytes() + fourBytes();

  const newVisitor = (ms: number, handheldShare: number): Visitor => {
    const country = drawCountry(ms);
    const language = languages.get(country)?.() ?? "";
    const isHandheld = random() < handheldShare;
    const { device, browser, os } = isHandheld ? drawHandheld() : drawDesktop();
    const isPrivate = random() < PRIVATE_SHARE;
    return {
      before: `${isPrivate ? "" : hash()}\t${country.code}\t\t\t`,
      after: isPrivate ? `\t${language}\t${device}\t\t\t` : `\t${language}\t${device}\t${browser}\t${os}\t`,
      isPrivate,
      isHandheld,
    };
  };

  const newCrawler = (): Visitor => {
    const { device, browser, os }: Client = drawBot();
    const country = random() < 0.7 ? "US" : "DE";
    return {
      before: `${hash()}\t${country}\t\t\t`,
      after: `\t\t${device}\t${browser}\t${os}\t`,
      isPrivate: false,
      isHandheld: false,
    };
  };

  const turnDay = (ms: number): void => {
    if (Math.floor(ms / DAY_MS) === day) return;
    day = Math.floor(ms / DAY_MS);
    recent = [];
    crawlers = [];
  };

  return {
    person(ms: number, handheldShare: number): Visitor {
      turnDay(ms);
      if (random() < RETURNING_SHARE) {
        const known = recent[Math.floor(random() * recent.length)];
        if (known) return known;
      }
      const visitor = newVisitor(ms, handheldShare);
      recent[made % RECENT < recent.length ? made % RECENT : recent.length] = visitor;
      made += 1;
      return visitor;
    },

    bot(ms: number): Visitor {
      turnDay(ms);
      const place = Math.floor(random() * BOTS_A_DAY);
      const known = crawlers[Math.min(place, crawlers.length)];
      if (known) return known;
      const crawler = newCrawler();
      crawlers.push(crawler);
      return crawler;
    },
  };
}
