import { isIP } from "node:net";
import { TEXT_CHARACTERS_MAX } from "#clicks/clean-text.ts";
import { withoutTrailingDot } from "#shared/host-name.ts";

// Apps name themselves with the scheme android-app.
const PAGE = /^(?:https?|android-app):\/\/[^/?#\\]/i;
const HOST_NAME = /^[a-z0-9_](?:[a-z0-9_.-]*[a-z0-9_])?$/;
const SCHEME_CHARACTERS_MAX = "android-app://".length;

/** Everything before the path: most pages that visitors come from share it. */
export function originTextOf(referer: string): string {
  const end = referer.indexOf("/", referer.startsWith("http") ? "https://".length : SCHEME_CHARACTERS_MAX);
  return end === -1 ? referer : referer.slice(0, end);
}

/**
 * The host name without port. An IP address names no site and may be the visitor's own, so it does not count; neither
 * does a page of ours. `ownHosts` have the port where it is not the default.
 */
export function referrerHostOf(origin: string, ownHosts: ReadonlySet<string>): string {
  const url = PAGE.test(origin) ? URL.parse(origin) : null;
  if (url === null || ownHosts.has(url.host.toLowerCase())) return "";
  const name = withoutTrailingDot(url.hostname.toLowerCase());
  const isSite = HOST_NAME.test(name) && name.length <= TEXT_CHARACTERS_MAX && isIP(name) === 0;
  return isSite && !ownHosts.has(name) ? name : "";
}
