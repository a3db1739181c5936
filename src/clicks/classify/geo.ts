import { isIP } from "node:net";
import { Reader, type Response } from "maxmind";
import { cleanText } from "#clicks/clean-text.ts";
import { ipv4NumberOf } from "#kernel/ipv4.ts";
import { mapFile } from "#kernel/map-file.ts";
import { shippedFile } from "#kernel/shipped-files.ts";
import { openAddressTree } from "./address-tree.ts";

export interface Place {
  readonly country: string;
  /** Country, region and city, separated by tabs: every click needs them together. */
  readonly texts: string;
}

export interface Geo {
  /** Where an address is used, as far as the database says. */
  find(address: string): Place;
}

type Fields = Readonly<Record<string, unknown>>;

const BUNDLED = "node_modules/@ip-location-db/geo-whois-asn-country-mmdb/geo-whois-asn-country.mmdb";
// Codes that stand for "unknown" in databases and headers.
const UNKNOWN_COUNTRIES = new Set(["XX", "ZZ"]);
export const NOWHERE = placeWith("", "", "");
const RECORDS_MAX = 10_000;
// Near the end of every database, so that a file that was cut off has none; the format says how near.
const METADATA_MARK = Buffer.from("\xab\xcd\xefMaxMind.com", "latin1");
const METADATA_BYTES_MAX = 128 * 1024;
const SEPARATOR_BYTES = 16;
const INCOMPLETE = "it is not a complete MaxMind database (mmdb)";

/** The data that comes with Kurz, which knows countries only. Nobody changes its file, as operators may do with theirs. */
export const openBundledGeo = (): Geo => openGeo(mapFile(shippedFile(BUNDLED)));

/** Looks at the ends of the content only, however long it is; throws where it is no complete database. */
export function openGeo(bytes: Buffer): Geo {
  // Without the mark, the reader would search all of the content.
  const tail = bytes.subarray(-METADATA_BYTES_MAX);
  const markAt = tail.lastIndexOf(METADATA_MARK);
  if (markAt < 0) throw new Error(INCOMPLETE);
  const reader = openReader(bytes);
  const dataEnd = bytes.length - tail.length + markAt;
  if (!(reader.metadata.searchTreeSize + SEPARATOR_BYTES <= dataEnd)) throw new Error(INCOMPLETE);
  const leafOf = openAddressTree(bytes, reader.metadata);
  const places = boundedCache<number, Place>();

  function read(address: string): Place {
    try {
      return placeOf(reader.get(address));
    } catch {
      // A damaged record must not cost a redirect.
      return NOWHERE;
    }
  }

  return {
    find(address) {
      const ipv4 = ipv4NumberOf(address);
      if (ipv4 === -1) return isIP(address) === 6 && reader.metadata.ipVersion === 6 ? read(address) : NOWHERE;
      const leaf = leafOf(ipv4);
      const known = places.get(leaf);
      if (known !== undefined) return known;
      const place = read(address);
      places.set(leaf, place);
      return place;
    },
  };
}

function openReader(bytes: Buffer): Reader<Response> {
  try {
    return new Reader(bytes, { cache: boundedCache<string | number, unknown>() });
  } catch (error) {
    throw new Error(INCOMPLETE, { cause: error });
  }
}

/** A two-letter code; empty if it is not one or means "unknown". */
export function countryCodeOf(text: unknown): string {
  if (typeof text !== "string" || !/^[a-z]{2}$/i.test(text)) return "";
  const code = text.toUpperCase();
  return UNKNOWN_COUNTRIES.has(code) ? "" : code;
}

/** Spares the decoding of records; where a database has more of them, as one of cities does, it starts over. */
function boundedCache<K, V>() {
  const records = new Map<K, V>();
  return {
    get: (key: K) => records.get(key),
    set(key: K, record: V) {
      if (records.size >= RECORDS_MAX) records.clear();
      records.set(key, record);
    },
  };
}

/** Understands the layouts of MaxMind and DB-IP (nested, with names by language), IPinfo and ip-location-db (flat). */
function placeOf(record: unknown): Place {
  const { country, country_code: countryCode, subdivisions, region, state1, city } = fieldsOf(record);
  const code = countryCodeOf(countryCode ?? fieldsOf(country).iso_code ?? country);
  const subdivision = fieldsOf(Array.isArray(subdivisions) ? subdivisions[0] : undefined);
  const subdivisionCode = textOf(subdivision.iso_code);
  const hasRegionCode = subdivisionCode !== "" && code !== "";
  return placeWith(
    code,
    hasRegionCode ? `${code}-${subdivisionCode}` : nameOf(subdivision) || textOf(region ?? state1),
    nameOf(city) || textOf(city),
  );
}

function placeWith(country: string, region: string, city: string): Place {
  return { country, texts: `${country}\t${region}\t${city}` };
}

const fieldsOf = (value: unknown): Fields => (typeof value === "object" && value !== null ? (value as Fields) : {});

const nameOf = (value: unknown): string => textOf(fieldsOf(fieldsOf(value).names).en);

const textOf = (value: unknown): string => (typeof value === "string" ? cleanText(value) : "");
