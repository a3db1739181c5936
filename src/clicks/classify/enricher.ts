import { type JournalClick, openClickShapes } from "#clicks/click-shapes.ts";
import type { Definition } from "#clicks/journal/definitions.ts";
import type { SaltReader } from "#clicks/visitor/salt-reader.ts";
import { visitorHash } from "#clicks/visitor/visitor-hash.ts";
import { BOT_FLAG, QR_FLAG } from "#engines/clicks/click-format.ts";
import { networkOf } from "#kernel/network-address.ts";
import type { RequestText, VisitedLink, VisitTarget } from "#redirect/click-sink.ts";
import type { VisitFacts } from "#visits/rule.ts";
import { plainAddressOf } from "./address.ts";
import { countryCodeOf, type Geo } from "./geo.ts";
import { primaryLanguageOf } from "./language.ts";
import { LocationTexts } from "./location-texts.ts";
import { originTextOf, referrerHostOf } from "./referrer.ts";
import { boundText, KEY_CHARACTERS_MAX, Remembered } from "./remembered.ts";
import { isSpeculative, SIGN_HEADERS, sourceOf, wantsPrivacy } from "./request-signs.ts";
import { classifyUserAgent, warmUpClassification } from "./user-agent.ts";

export interface EnricherOptions {
  readonly salts: SaltReader;
  readonly geo: Geo;
  /** A header in which a trusted proxy names the visitor's country. */
  readonly countryHeader: string | null;
  /** Where links and console live, with the port where it is not the default. */
  readonly ownHosts: readonly string[];
}

/** What a request says about its visit: what rules ask for, and what its click stores. */
export interface ClassifiedVisit extends VisitFacts {
  readonly isBot: boolean;
  readonly atMs: number;
  readonly place: Definition;
  readonly isPrivate: boolean;
  /** Of the client and the referrer, a click of someone who wants privacy stores less than rules may ask for. */
  readonly client: Definition;
  readonly storedReferrer: Definition;
}

export interface Enricher {
  /** Never fails. */
  classify(request: RequestText, clientAddress: string, accountNo: number, nowMs: number): ClassifiedVisit;
  /** Neither address nor user agent gets into the journal. */
  clickOf(visit: ClassifiedVisit, link: VisitedLink, target: VisitTarget): JournalClick;
}

/** What is read of a request, beside the country of `countryHeader`. */
export const CLICK_HEADERS = ["user-agent", "referer", "accept-language", ...SIGN_HEADERS];

const AGENTS_MAX = 8192;
const LANGUAGES_OF_AGENT_MAX = 16;
const TEXTS_MAX = 4096;
const HOUR_MS = 3_600_000;

export function createEnricher({ salts, geo, countryHeader, ownHosts }: EnricherOptions): Enricher {
  warmUpClassification();
  const countryField = countryHeader?.toLowerCase();
  const own = new Set(ownHosts.map((host) => host.toLowerCase()));
  const shapes = openClickShapes();
  const agents = new Remembered(AGENTS_MAX, (userAgent) => {
    const { isBot, device, browser, os } = classifyUserAgent(userAgent);
    // By language: looking up a text that is put together first takes several times as long.
    const clientsOf = (fields: string) =>
      new Remembered(LANGUAGES_OF_AGENT_MAX, (language) => shapes.client(`${language}\t${fields}`));
    return {
      ...{ isBot, device, browser, os },
      clients: clientsOf(`${device}\t${browser}\t${os}`),
      privateClients: clientsOf(`${device}\t\t`),
    };
  });
  const noReferrer = { host: "", shape: shapes.referrer("") };
  const referrers = new Remembered(TEXTS_MAX, (origin) => {
    const host = referrerHostOf(origin, own);
    return { host, shape: shapes.referrer(host) };
  });
  const languages = new Remembered(TEXTS_MAX, primaryLanguageOf);
  const textsOf = (location: string) => new LocationTexts(location, shapes.campaign);
  const locations = new Remembered(TEXTS_MAX, textsOf);
  // User agents are remembered for an hour at most. Addresses are not: most of them are met once.
  setInterval(() => agents.clear(), HOUR_MS).unref();
  let atMs = Number.NaN;
  let at = "";

  const campaignOf = ({ location, domain, rule }: VisitTarget): Definition =>
    (location.length > KEY_CHARACTERS_MAX ? textsOf(location) : locations.get(location)).find(domain, rule);

  return {
    classify({ headers, url }, clientAddress, accountNo, nowMs) {
      const userAgent = boundText(headers.get("user-agent") ?? "");
      const agent = agents.get(userAgent);
      const address = plainAddressOf(clientAddress);
      const found = geo.find(address);
      const named = countryField === undefined ? null : headers.get(countryField);
      // The proxy knows the country best; region and city only fit when the database means the same country.
      const country = named === null ? found.country : countryCodeOf(named);
      const language = languages.get(headers.get("accept-language") ?? "");
      const referer = headers.get("referer");
      const referrer = referer === null ? noReferrer : referrers.get(originTextOf(boundText(referer)));
      const isPrivate = wantsPrivacy(headers);
      const salted = isPrivate || address === "" ? undefined : salts.find(nowMs);
      return {
        atMs: nowMs,
        isBot: agent.isBot || isSpeculative(headers),
        isPrivate,
        country,
        language,
        device: agent.device,
        os: agent.os,
        browser: agent.browser,
        referrer: referrer.host,
        source: sourceOf(url),
        url,
        visitor: salted === undefined ? "" : visitorHash(salted, { accountNo, network: networkOf(address), userAgent }),
        place: shapes.place(country === found.country ? found.texts : `${country}\t\t`),
        client: (isPrivate ? agent.privateClients : agent.clients).get(language),
        storedReferrer: isPrivate ? noReferrer.shape : referrer.shape,
      };
    },

    clickOf(visit, link, target) {
      const { no, accountNo } = link;
      const { atMs: nowMs, isBot, source, visitor, place, client, storedReferrer } = visit;
      if (nowMs !== atMs) {
        // Clicks of the same millisecond share the text, which is expensive to build.
        at = String(nowMs);
        atMs = nowMs;
      }
      const flags = (isBot ? BOT_FLAG : 0) + (source === "qr" ? QR_FLAG : 0);
      // The rule's conditions would say what isn't stored.
      const rule = visit.isPrivate ? "" : target.rule;
      let campaign: Definition;
      if (rule === "" && target.location === link.location) {
        // A link never changes its domain, and looking up its location would take longer than the rest of the line.
        link.kept ??= campaignOf({ ...target, rule });
        campaign = link.kept as Definition;
      } else campaign = campaignOf({ ...target, rule });
      return {
        line: `${at}\t${accountNo}\t${no}\t${flags}\t${visitor}\t${place.field}\t${client.field}\t${storedReferrer.field}\t${campaign.field}\n`,
        uses: [place, client, storedReferrer, campaign],
      };
    },
  };
}
