import { BAD_PORTS } from "#shared/bad-ports.ts";
import { isHostName, isIpLiteral, isPrivateName, withoutTrailingDot } from "#shared/host-name.ts";
import type { AddressGuard } from "./address-guard.ts";
import type { UrlProblem } from "./outbound-client.ts";

export interface UrlRules {
  readonly isAllowedAddress: AddressGuard;
  /** Names that only an intranet knows make sense where its addresses are allowed. */
  readonly allowPrivateNames: boolean;
  readonly allowInsecure: boolean;
}

export interface Target {
  readonly isSecure: boolean;
  /** Without brackets and trailing dot. */
  readonly hostname: string;
  readonly isLiteral: boolean;
  /** As the `Host` header wants it. */
  readonly host: string;
  readonly port: number;
  readonly path: string;
}

export type UrlCheck = { readonly target: Target } | { readonly problem: UrlProblem };

const URL_OCTETS_MAX = 2048;
// The URL parser drops or rewrites these without a word.
const REWRITTEN = /[\p{Cc}\p{Bidi_Control}\p{White_Space}\uFEFF\\]/u;
const SCHEME = /^([a-z][a-z0-9+.-]*):/i;
const AUTHORITY = /^https?:\/\/([^/?#]+)/i;

const refuse = (code: UrlProblem["code"], message: string): UrlCheck => ({ problem: { code, message } });

/** Judges the URL itself; the names in it have to be resolved and judged when it is used. */
export function checkUrl(text: string, rules: UrlRules): UrlCheck {
  if (text.length > URL_OCTETS_MAX) return refuse("too_long", `The URL may have ${URL_OCTETS_MAX} octets.`);
  if (REWRITTEN.test(text) || !text.isWellFormed())
    return refuse("invalid_url", "The URL contains a space, a backslash or an invisible character.");
  const scheme = SCHEME.exec(text)?.[1]?.toLowerCase();
  if (scheme === undefined) return refuse("invalid_url", "Write the URL in full, starting with https://.");
  if (scheme !== "https" && !(scheme === "http" && rules.allowInsecure))
    return refuse("scheme_not_allowed", "The URL has to start with https://.");
  const authority = AUTHORITY.exec(text)?.[1];
  const url = URL.parse(text);
  if (authority === undefined || !url) return refuse("invalid_url", "This is not a valid URL.");
  // The text decides, not the parsed form: `https://@host/` has an empty user name that the parser drops.
  if (authority.includes("@"))
    return refuse("credentials_not_allowed", "The URL may not contain a user name or password before an @.");
  if (url.href.length > URL_OCTETS_MAX) return refuse("too_long", `The URL may have ${URL_OCTETS_MAX} octets.`);
  return checkHost(url, rules);
}

function checkHost(url: URL, { isAllowedAddress, allowPrivateNames }: UrlRules): UrlCheck {
  const name = withoutTrailingDot(url.hostname);
  const isLiteral = isIpLiteral(name);
  const hostname = name.startsWith("[") ? name.slice(1, -1) : name;
  if (isLiteral && !isAllowedAddress(hostname))
    return refuse("host_not_allowed", "The address of the host is not allowed: it is not a public one.");
  if (!isLiteral && !isHostName(name))
    return refuse("host_not_allowed", "The host of the URL is not a valid DNS name.");
  if (!isLiteral && !allowPrivateNames && isPrivateName(name))
    return refuse("host_not_allowed", `The host "${name}" is a name of a private network.`);
  if (url.port !== "" && BAD_PORTS.has(Number(url.port)))
    return refuse("host_not_allowed", `Port ${url.port} belongs to another protocol and is not allowed.`);
  const isSecure = url.protocol === "https:";
  return {
    target: {
      isSecure,
      hostname,
      isLiteral,
      host: url.port === "" ? name : `${name}:${url.port}`,
      port: Number(url.port || (isSecure ? 443 : 80)),
      path: `${url.pathname}${url.search}`,
    },
  };
}
