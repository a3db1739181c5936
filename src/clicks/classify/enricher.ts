import { type JournalClick, openClickShapes } from "#clicks/click-shapes.ts";
import type { SaltReader } from "#clicks/visitor/salt-reader.ts";
import { visitorHash } from "#clicks/visitor/visitor-hash.ts";
import { BOT_FLAG, QR_FLAG } from "#engines/clicks/click-format.ts";
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

/** Makes the journal line of a click. It never fails, and neither address nor user agent gets into the journal. */
export type Enricher = (
  request: RequestText,
  clientAddress: string,
  link: { readonly no: number; readonly accountNo: number },
  location: string,
  nowMs: number,
) => JournalClick;

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
    return { isBot, clients: clientsOf(`${device}\t${browser}\t${os}`), privateClients: clientsOf(`${device}\t\t`) };
  });
  const noReferrer = shapes.referrer("");
  const referrers = new Remembered(TEXTS_MAX, (origin) => shapes.referrer(referrerHostOf(origin, own)));
  const languages = new Remembered(TEXTS_MAX, primaryLanguageOf);
  const campaignOf = (location: string) => shapes.campaign(utmFieldsOf(location));
  const campaigns = new Remembered(TEXTS_MAX, campaignOf);
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
    const botFlag = agent.isBot || isSpeculative(headers) ? BOT_FLAG : 0;
    const flags = sourceOf(url) === "qr" ? botFlag + QR_FLAG : botFlag;
    const country = countryField === undefined ? null : headers.get(countryField);
    const place = shapes.place(placeTextsOf(geo.find(address), country));
    const language = languages.get(headers.get("accept-language") ?? "");
    const campaign = location.length > KEY_CHARACTERS_MAX ? campaignOf(location) : campaigns.get(location);

    let visitor = "";
    let referrer = noReferrer;
    let { privateClients: clients } = agent;
    if (!wantsPrivacy(headers)) {
      const salted = salts.find(nowMs);
      if (salted !== undefined && address !== "") {
        visitor = visitorHash(salted, { accountNo, network: networkOf(address), userAgent });
      }
      const referer = headers.get("referer");
      if (referer !== null) referrer = referrers.get(originTextOf(boundText(referer)));
      clients = agent.clients;
    }
    const client = clients.get(language);
    return {
      line: `${at}\t${accountNo}\t${no}\t${flags}\t${visitor}\t${place.field}\t${client.field}\t${referrer.field}\t${campaign.field}\n`,
      uses: [place, client, referrer, campaign],
    };
  };
}

/** The proxy knows the country best; region and city only fit when the database means the same country. */
function placeTextsOf({ country, texts }: Place, countryText: string | null): string {
  const named = countryText === null ? country : countryCodeOf(countryText);
  return named === country ? texts : `${named}\t\t`;
}
