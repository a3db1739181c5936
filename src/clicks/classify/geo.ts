import { readFileSync } from "node:fs";
import { isIP } from "node:net";
import { fileURLToPath } from "node:url";
import { Reader, type Response } from "maxmind";
import { cleanText } from "#clicks/click-line.ts";
import { reasonOf } from "#kernel/error-text.ts";
import { ipv4NumberOf } from "#kernel/ipv4.ts";
import { openAddressTree } from "./address-tree.ts";

export interface Place {
  readonly country: string;
  readonly region: string;
  readonly city: string;
}

export interface Geo {
  /** Where an address is used, as far as the database says. */
  find(address: string): Place;
}

type Fields = Readonly<Record<string, unknown>>;

const BUNDLED = "@ip-location-db/geo-whois-asn-country-mmdb/geo-whois-asn-country.mmdb";
// Codes that stand for "unknown" in databases and headers.
const UNKNOWN_COUNTRIES = new Set(["XX", "ZZ"]);
const NOWHERE: Place = { country: "", region: "", city: "" };
const RECORDS_MAX = 10_000;

/** `mmdbPath` is the operator's database; without one there is the bundled one, which knows countries only. */
export function openGeo(mmdbPath: string | null): Geo {
  const { reader, bytes } = openDatabase(mmdbPath ?? fileURLToPath(import.meta.resolve(BUNDLED)));
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

/** A two-letter code, or nothing where it is none or stands for "unknown". */
export function countryCodeOf(text: unknown): string {
  if (typeof text !== "string" || !/^[a-z]{2}$/i.test(text)) return "";
  const code = text.toUpperCase();
  return UNKNOWN_COUNTRIES.has(code) ? "" : code;
}

function openDatabase(path: string): { readonly reader: Reader<Response>; readonly bytes: Buffer } {
  try {
    const bytes = readFileSync(path);
    return { reader: new Reader(bytes, { cache: boundedCache<string | number, unknown>() }), bytes };
  } catch (error) {
    throw new Error(`cannot read the geo database ${path}: ${reasonOf(error)}`);
  }
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
  return {
    country: code,
    region: hasRegionCode ? `${code}-${subdivisionCode}` : nameOf(subdivision) || textOf(region ?? state1),
    city: nameOf(city) || textOf(city),
  };
}

const fieldsOf = (value: unknown): Fields => (typeof value === "object" && value !== null ? (value as Fields) : {});

const nameOf = (value: unknown): string => textOf(fieldsOf(fieldsOf(value).names).en);

const textOf = (value: unknown): string => (typeof value === "string" ? cleanText(value) : "");
