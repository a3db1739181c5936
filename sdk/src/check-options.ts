import type { KurzOptions } from "./client.ts";

const TIMEOUT_MS_MAX = 2_147_483_647;

/** What each option must be, in words; `undefined` if the value is fine. */
type Complaint = (value: unknown) => string | undefined;

const isMissing = (value: unknown): boolean => value === undefined || value === null || value === "";

const optional =
  (isFine: (value: unknown) => boolean, must: string): Complaint =>
  (value) =>
    value === undefined || isFine(value) ? undefined : `must be ${must}, not ${show(value)}`;

const isFunction = (value: unknown): boolean => typeof value === "function";
const isTimeout = (value: unknown): boolean => typeof value === "number" && value > 0 && value <= TIMEOUT_MS_MAX;
const isCount = (value: unknown): boolean => typeof value === "number" && Number.isInteger(value) && value >= 0;
/** What a header may hold (RFC 9110 §5.5); runtimes refuse everything else in words of their own. */
const isHeaderText = (value: unknown): boolean => typeof value === "string" && /^[\x20-\x7e]+$/.test(value);

const complaints: Readonly<Record<keyof KurzOptions, Complaint>> = {
  baseUrl: complainAboutUrl,
  token: complainAboutToken,
  fetch: optional(isFunction, "a function"),
  // Timers with more than that fire at once.
  timeoutMs: optional(isTimeout, `a number of milliseconds from 1 to ${TIMEOUT_MS_MAX}`),
  retriesMax: optional(isCount, "a whole number, 0 or more"),
  userAgent: optional(isHeaderText, "a text of ASCII characters"),
  sleep: optional(isFunction, "a function"),
  random: optional(isFunction, "a function"),
};

/**
 * Checks what a program passes, and returns it with a base URL that paths can be added to. A wrong value would otherwise
 * only surface in the first call, as an error that doesn't name it.
 */
export function checkOptions(options: KurzOptions): KurzOptions {
  // Programs in JavaScript can pass anything.
  const given: unknown = options;
  if (typeof given !== "object" || given === null) {
    throw new TypeError('new Kurz() needs options: { baseUrl: "https://s.example", token: "kurz_…" }');
  }
  const names = Object.keys(complaints) as (keyof KurzOptions)[];
  const unknown = Object.keys(given).find((name) => !Object.hasOwn(complaints, name));
  if (unknown !== undefined) throw new TypeError(`new Kurz() has no option ${unknown}; ${hintFor(unknown, names)}`);
  for (const name of names) {
    const complaint = complaints[name](options[name]);
    if (complaint !== undefined) throw new TypeError(`${name} ${complaint}`);
  }
  if (options.fetch === undefined && typeof globalThis.fetch !== "function") {
    throw new TypeError("this runtime has no fetch: use Node 20 or later, or pass one as the option fetch");
  }
  return { ...options, baseUrl: options.baseUrl.replace(/\/+$/, "") };
}

function complainAboutUrl(value: unknown): string | undefined {
  if (isMissing(value)) return 'is missing: pass the URL of your deployment, such as "https://s.example"';
  if (typeof value !== "string") return `must be a text such as "https://s.example", not ${show(value)}`;
  const url = findUrl(value);
  if (!url) return `must be a URL such as "https://s.example", not ${show(value)}`;
  if (url.protocol !== "https:" && url.protocol !== "http:") {
    return `must start with https:// or http://, not ${show(value)}`;
  }
  // Not shown, since it may have a password in it.
  if (url.username !== "" || url.password !== "") return "must not have a user name or password; use the option token";
  if (url.search !== "" || url.hash !== "") return `must not have a query or fragment: ${show(value)}`;
  return /\/api(?:\/v\d+)?\/*$/.test(url.pathname)
    ? `must be the URL of the deployment, without /api/v1: ${show(value)}`
    : undefined;
}

function findUrl(value: string): URL | undefined {
  try {
    return new URL(value);
  } catch {
    return undefined;
  }
}

/** Never shows the token, which may end up in a log. */
function complainAboutToken(value: unknown): string | undefined {
  if (isMissing(value))
    return "is missing: pass an API token; if it comes from an environment variable, check that it is set";
  if (typeof value !== "string") return "must be a text";
  if (/^bearer\s/i.test(value)) return 'must be the token alone, without "Bearer"';
  return /^[\x21-\x7e]+$/.test(value) ? undefined : "has a space, a line break or another character that no token has";
}

/** Other libraries name some of them differently. */
const otherNames: Readonly<Record<string, keyof KurzOptions>> = {
  url: "baseUrl",
  host: "baseUrl",
  endpoint: "baseUrl",
  apikey: "token",
  api_key: "token",
  accesstoken: "token",
  timeout: "timeoutMs",
  retries: "retriesMax",
  maxretries: "retriesMax",
};

function hintFor(name: string, names: readonly (keyof KurzOptions)[]): string {
  const folded = name.toLowerCase();
  const meant = names.find((known) => known.toLowerCase() === folded) ?? otherNames[folded];
  return meant === undefined ? `it has ${names.join(", ")}` : `did you mean ${meant}?`;
}

function show(value: unknown): string {
  if (typeof value === "string") return JSON.stringify(value);
  return typeof value === "object" || typeof value === "function" ? `a value of type ${typeof value}` : String(value);
}
