import { DESTINATION_BYTES_MAX, utmKeys } from "#contract/limits.ts";

const SCAN_MARK = "qr";
// RFC 3986 §3.4 without the quote, which browsers encode.
const NOT_QUERY_TEXT = /[^A-Za-z0-9\-._~!$&()*+,;=:@/?%]/;
const ENCODED = /[%+]/;

interface Parts {
  readonly base: string;
  readonly query: string;
  readonly fragment: string;
}

/**
 * The destination with the UTM parameters of its link, which replace parameters of the same name.
 * All other bytes stay: re-serialising a query would break signed addresses.
 */
export function locationOf(destinationUrl: string, utm: Readonly<Record<string, string>>): string {
  const added: string[] = [];
  const replaced = new Set<string>();
  for (const name of utmKeys) {
    const value = utm[name];
    if (value === undefined) continue;
    added.push(`${name}=${encodeValue(value)}`);
    replaced.add(name);
  }
  if (added.length === 0) return destinationUrl;
  const { base, query, fragment } = splitUrl(destinationUrl);
  const kept = query.split("&").filter((pair) => !namesOf(pair, [pair]).some((name) => replaced.has(name)));
  return joinUrl({ base, query: appendPairs(kept.join("&"), added.join("&")), fragment });
}

/**
 * Adds what the visitor put behind the short URL. It can only ever extend the query: names that are
 * present stay as they are, and everything that could end the query is percent-encoded.
 */
export function withVisitorQuery(location: string, rawQuery: string): string {
  if (rawQuery === "") return location;
  const { base, query, fragment } = splitUrl(location);
  const visitorQuery = rawQuery.toWellFormed();
  const pairs = pairsOf(visitorQuery);
  const names = namesOf(visitorQuery, pairs);
  const present = new Set(namesOf(query, pairsOf(query)));
  const added = pairs.filter((_, index) => {
    const name = names[index] ?? "";
    return name !== SCAN_MARK && !present.has(name);
  });
  if (added.length === 0) return location;
  const extended = joinUrl({ base, query: appendPairs(query, escapeQuery(added.join("&"))), fragment });
  return extended.length > DESTINATION_BYTES_MAX ? location : extended;
}

/**
 * Adds the path that follows the slug to the destination's. `path` is empty or begins with a slash, and has nothing that
 * would lead out of the destination's path.
 */
export function withVisitorPath(location: string, path: string): string {
  if (path === "" || path === "/") return location;
  const end = location.search(/[?#]/);
  const base = end === -1 ? location : location.slice(0, end);
  const extended = `${base.replace(/\/$/, "")}${path}${location.slice(base.length)}`;
  return extended.length > DESTINATION_BYTES_MAX ? location : extended;
}

function splitUrl(url: string): Parts {
  const hash = url.indexOf("#");
  const end = hash === -1 ? url.length : hash;
  const mark = url.indexOf("?");
  const pathEnd = mark === -1 || mark > end ? end : mark;
  return { base: url.slice(0, pathEnd), query: url.slice(pathEnd + 1, end), fragment: url.slice(end) };
}

function joinUrl({ base, query, fragment }: Parts): string {
  return `${base}?${query}${fragment}`;
}

function appendPairs(query: string, added: string): string {
  const separator = query === "" || query.endsWith("&") ? "" : "&";
  return query + separator + added;
}

function pairsOf(query: string): readonly string[] {
  return query.split("&").filter((pair) => pair !== "");
}

/** One name per pair, as a receiver decodes it, so that `utm%5Fsource` is no second `utm_source`. */
function namesOf(query: string, pairs: readonly string[]): readonly string[] {
  // The leading & keeps the parser from swallowing a question mark that belongs to the first name.
  if (ENCODED.test(query)) return [...new URLSearchParams(`&${query}`).keys()];
  return pairs.map(textNameOf);
}

function textNameOf(pair: string): string {
  const equals = pair.indexOf("=");
  return equals === -1 ? pair : pair.slice(0, equals);
}

function encodeValue(value: string): string {
  return encodeURIComponent(value.toWellFormed()).replaceAll("'", "%27");
}

/** Native calls only: a callback per character would let one long query hold up the redirects of others. */
function escapeQuery(query: string): string {
  if (!NOT_QUERY_TEXT.test(query)) return query;
  // After encodeURI, %25 can only come from a percent sign in the visitor's query.
  return encodeURI(query).replaceAll("%25", "%").replaceAll("#", "%23").replaceAll("'", "%27");
}
