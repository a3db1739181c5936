import { BAD_PORTS } from "#shared/bad-ports.ts";
import { isHostName, isIpLiteral, isPrivateName, withoutTrailingDot } from "#shared/host-name.ts";
import type { AddressGuard } from "./address-guard.ts";
import type { UrlProblem } from "./outbound-client.ts";

export interface UrlRules {
  readonly isAllowedAddress: AddressGuard;
  /** Intranet names only make sense if private addresses are allowed. */
  readonly allowPrivateNames: boolean;
  readonly allowInsecure: boolean;
}

export interface Target {
  readonly isSecure: boolean;
  /** Without brackets and trailing dot. */
  readonly hostname: string;
  readonly isLiteral: boolean;
  /** The value of the `Host` header. */
  readonly host: string;
  readonly port: number;
  readonly path: string;
}

export type UrlCheck = { readonly target: Target } | { readonly problem: UrlProblem };

const URL_BYTES_MAX = 2048;
// The URL parser silently drops or rewrites these.
const REWRITTEN = /[\p{Cc}\p{Bidi_Control}\p{White_Space}\uFEFF\\]/u;
const SCHEME = /^([a-z][a-z0-9+.-]*):/i;
const AUTHORITY = /^https?:\/\/([^/?#]+)/i;

const reject = (code: UrlProblem["code"], message: string): UrlCheck => ({ problem: { code, message } });

/** Checks the URL itself; the addresses its host resolves to are checked on every call. */
export function checkUrl(text: string, rules: UrlRules): UrlCheck {
  if (text.length > URL_BYTES_MAX) return reject("too_long", `The URL is longer than ${URL_BYTES_MAX} bytes.`);
  if (REWRITTEN.test(text) || !text.isWellFormed())
    return reject("invalid_url", "The URL contains a space, a backslash or an invisible character.");
  const scheme = SCHEME.exec(text)?.[1]?.toLowerCase();
  if (scheme === undefined) return reject("invalid_url", "Enter the full URL, starting with https://.");
  if (scheme !== "https" && !(scheme === "http" && rules.allowInsecure))
    return reject("scheme_not_allowed", "The URL must start with https://.");
  const authority = AUTHORITY.exec(text)?.[1];
  const url = URL.parse(text);
  if (authority === undefined || !url) return reject("invalid_url", "This is not a valid URL.");
  // Checks the text rather than the parsed URL: the parser drops the empty user name of `https://@host/`.
  if (authority.includes("@"))
    return reject("credentials_not_allowed", "The URL must not contain a user name or password.");
  if (url.href.length > URL_BYTES_MAX) return reject("too_long", `The URL is longer than ${URL_BYTES_MAX} bytes.`);
  return checkHost(url, rules);
}

function checkHost(url: URL, { isAllowedAddress, allowPrivateNames }: UrlRules): UrlCheck {
  const name = withoutTrailingDot(url.hostname);
  const isLiteral = isIpLiteral(name);
  const hostname = name.startsWith("[") ? name.slice(1, -1) : name;
  if (isLiteral && !isAllowedAddress(hostname))
    return reject("host_not_allowed", "The host's IP address is not allowed because it isn't public.");
  if (!isLiteral && !isHostName(name)) return reject("host_not_allowed", "The URL's host is not a valid DNS name.");
  if (!isLiteral && !allowPrivateNames && isPrivateName(name))
    return reject("host_not_allowed", `The host "${name}" belongs to a private network.`);
  if (url.port !== "" && BAD_PORTS.has(Number(url.port)))
    return reject("host_not_allowed", `Port ${url.port} belongs to another protocol and is not allowed.`);
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
