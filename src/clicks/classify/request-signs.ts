import type { ClickSource } from "#contract/analytics.ts";

const SPECULATIVE = /prefetch|prerender|preview/i;
const SPECULATION_HEADERS = ["sec-purpose", "purpose", "x-moz", "x-purpose"] as const;
const SCAN_MARK = /^[^?#]*\?(?:[^#]*&)?qr(?:=1?)?(?:[&#]|$)/;

export const SIGN_HEADERS = [...SPECULATION_HEADERS, "sec-gpc", "dnt"] as const;

/** Whether a browser or an app loads the page ahead, before anybody has asked for it. */
export function isSpeculative(headers: Pick<Headers, "get">): boolean {
  for (const name of SPECULATION_HEADERS) {
    const value = headers.get(name);
    if (value !== null && SPECULATIVE.test(value)) return true;
  }
  return false;
}

/** Global Privacy Control, or its forerunner Do Not Track. */
export function wantsPrivacy(headers: Pick<Headers, "get">): boolean {
  return headers.get("sec-gpc") === "1" || headers.get("dnt") === "1";
}

/** A code drawn with `mark` holds the short URL with `?qr=1`. */
export function sourceOf(url: string): ClickSource {
  return url.includes("?") && SCAN_MARK.test(url) ? "qr" : "link";
}
