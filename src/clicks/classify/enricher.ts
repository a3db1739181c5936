import type { SaltReader } from "#clicks/visitor/salt-reader.ts";
import { visitorHash } from "#clicks/visitor/visitor-hash.ts";
import { networkOf } from "#kernel/network-address.ts";
import type { RequestText } from "#redirect/click-sink.ts";
import { plainAddressOf } from "./address.ts";
import { countryCodeOf, type Geo, type Place } from "./geo.ts";
import { primaryLanguageOf } from "./language.ts";
import { originTextOf, referrerHostOf } from "./referrer.ts";
import { boundText, KEY_CHARACTERS_MAX, Remembered } from "./remembered.ts";
import { isSpeculative, SIGN_HEADERS, sourceOf, wantsPrivacy } from "./request-signs.ts";
import { classifyUserAgent, warmUpClassification } from "./user-agent.ts";
import { utmFieldsOf } from "./utm.ts";

export interface EnricherOptions {
  readonly salts: SaltReader;
  readonly geo: Geo;
  /** A header in which a trusted proxy names the visitor's country. */
  readonly countryHeader: string | null;
  /** Where links and console live, with the port where it is not the default. */
  readonly ownHosts: readonly string[];
}

/** Makes the journal line of a click. It never fails, and neither address nor user agent gets into the line. */
export type Enricher = (
  request: RequestText,
  clientAddress: string,
  link: { readonly no: number; readonly accountNo: number },
  location: string,
  nowMs: number,
) => string;

/** What is read of a request, beside the country of `countryHeader`. */
export const CLICK_HEADERS = ["user-agent", "referer", "accept-language", ...SIGN_HEADERS];

const AGENTS_MAX = 8192;
const TEXTS_MAX = 4096;
const HOUR_MS = 3_600_000;

export function createEnricher({ salts, geo, countryHeader, ownHosts }: EnricherOptions): Enricher {
  warmUpClassification();
  const countryField = countryHeader?.toLowerCase();
  const own = new Set(ownHosts.map((host) => host.toLowerCase()));
  const agents = new Remembered(AGENTS_MAX, (userAgent) => {
    const { isBot, device, browser, os } = classifyUserAgent(userAgent);
    return { isBot, fields: `${device}\t${browser}\t${os}`, privateFields: `${device}\t\t` };
  });
  const referrers = new Remembered(TEXTS_MAX, (origin) => referrerHostOf(origin, own));
  const languages = new Remembered(TEXTS_MAX, primaryLanguageOf);
  const utms = new Remembered(TEXTS_MAX, utmFieldsOf);
  // User agents are remembered for an hour at most. Addresses are not: most of them are met once.
  setInterval(() => agents.clear(), HOUR_MS).unref();
  let atMs = Number.NaN;
  let at = "";

  return (request, clientAddress, { no, accountNo }, location, nowMs) => {
    if (nowMs !== atMs) {
      // Clicks of the same millisecond share the text, which is expensive to build.
      at = String(nowMs);
      atMs = nowMs;
    }
    const { headers, url } = request;
    const userAgent = boundText(headers.get("user-agent") ?? "");
    const agent = agents.get(userAgent);
    const address = plainAddressOf(clientAddress);
    const bot = agent.isBot || isSpeculative(headers) ? "1" : "0";
    const country = countryField === undefined ? null : headers.get(countryField);
    const place = placeFieldsOf(geo.find(address), country);
    const language = languages.get(headers.get("accept-language") ?? "");
    const utm = location.length > KEY_CHARACTERS_MAX ? utmFieldsOf(location) : utms.get(location);

    let visitor = "";
    let referrer = "";
    let device = agent.privateFields;
    if (!wantsPrivacy(headers)) {
      const salted = salts.find(nowMs);
      if (salted !== undefined && address !== "") {
        visitor = visitorHash(salted, { accountNo, network: networkOf(address), userAgent });
      }
      const referer = headers.get("referer");
      if (referer !== null) referrer = referrers.get(originTextOf(boundText(referer)));
      device = agent.fields;
    }
    return `${at}\t${accountNo}\t${no}\t${bot}\t${visitor}\t${place}\t${referrer}\t${language}\t${device}\t${sourceOf(url)}\t${utm}\n`;
  };
}

/** The proxy knows the country best; region and city only fit when the database means the same country. */
function placeFieldsOf({ country, region, city }: Place, countryText: string | null): string {
  const named = countryText === null ? country : countryCodeOf(countryText);
  return named === country ? `${country}\t${region}\t${city}` : `${named}\t\t`;
}
