import { DESTINATION_BYTES_MAX } from "#contract/limits.ts";
import { BAD_PORTS } from "./bad-ports.ts";
import { hostNameOf, isHostName, isIpLiteral, isPrivateName, isServedPort, withoutTrailingDot } from "./host-name.ts";

export type DestinationProblem =
  | "invalid_url"
  | "scheme_not_allowed"
  | "credentials_not_allowed"
  | "host_not_allowed"
  | "homograph"
  | "self_reference"
  | "nested_shortener"
  | "too_long"
  | "too_short";

export interface DestinationRules {
  /** Short domains and the console host, with the port if it is not the default. */
  readonly ownHosts: readonly string[];
  readonly shortenerHosts: ReadonlySet<string>;
  readonly allowPrivate: boolean;
}

export type DestinationCheck =
  | { readonly ok: true; readonly url: string }
  | { readonly ok: false; readonly code: DestinationProblem; readonly message: string };

// Room for the longest host with every byte percent-encoded; more would only keep the IDN mapping busy.
const AUTHORITY_CHARACTERS_MAX = 4096;

// The URL parser drops or rewrites these silently, so the checked address would not be the one the user saw.
const CONTROL_OR_BIDI = /[\p{Cc}\p{Bidi_Control}\uFEFF]/u;
const SCHEME = /^([a-z][a-z0-9+.-]*):/i;
const AUTHORITY = /^https?:\/\/([^/?#]+)/i;
const IPV4 = /^(\d+)\.(\d+)\.\d+\.\d+$/;
const ONION_SUFFIX = /(?:^|\.)onion$/;

type FindHostProblem = (hostname: string) => Refusal | null;

/** Every rule that only needs the text, so browsers can apply it too; `findMore` adds the rest. */
export function judgeDestination(
  input: string,
  rules: DestinationRules,
  findMore: FindHostProblem = () => null,
): DestinationCheck {
  const textProblem = findTextProblem(input);
  if (textProblem) return textProblem;
  const url = URL.parse(input);
  if (!url) return problem("invalid_url", "This is not a valid web address.");
  const hostname = withoutTrailingDot(url.hostname);
  const hostProblem =
    findSelfReference(hostname, url.port, rules) ??
    findHostProblem(hostname, rules) ??
    findPortProblem(url.port) ??
    findMore(hostname) ??
    findNestedShortener(hostname, rules);
  if (hostProblem) return hostProblem;
  if (hostname !== url.hostname) url.hostname = hostname;
  return checkDestinationLength(url.href);
}

/** Also for the caller, on the location with its UTM parameters: the limit holds for what is sent to browsers. */
export function checkDestinationLength(location: string): DestinationCheck {
  // A serialised URL is ASCII, so its length counts bytes.
  if (location.length <= DESTINATION_BYTES_MAX) return { ok: true, url: location };
  return problem(
    "too_long",
    `The destination with its UTM parameters can have at most ${DESTINATION_BYTES_MAX} bytes; this one has ${location.length}.`,
  );
}

export type Refusal = Extract<DestinationCheck, { readonly ok: false }>;

export function problem(code: DestinationProblem, message: string): Refusal {
  return { ok: false, code, message };
}

export const selfReference = (host: string): Refusal =>
  problem("self_reference", `Must not lead to this service itself (${host}).`);

function findTextProblem(input: string): Refusal | null {
  if (input === "") return problem("too_short", "The destination is empty.");
  if (CONTROL_OR_BIDI.test(input) || !input.isWellFormed())
    return problem("invalid_url", "The destination contains an invisible or control character.");
  if (input !== input.trim()) return problem("invalid_url", "The destination starts or ends with a space.");
  if (input.includes("\\")) return problem("invalid_url", "The destination contains a backslash; write / or %5C.");
  const scheme = SCHEME.exec(input)?.[1]?.toLowerCase();
  if (scheme === undefined) return problem("invalid_url", "Enter the full address, starting with https:// or http://.");
  if (scheme !== "https" && scheme !== "http")
    return problem("scheme_not_allowed", "The destination must start with https:// or http://.");
  const authority = AUTHORITY.exec(input)?.[1];
  if (authority === undefined) return problem("invalid_url", `The host name after ${scheme}:// is missing.`);
  // The text decides, not the parsed form: `https://@host/` has an empty user name that the parser drops.
  if (authority.includes("@"))
    return problem("credentials_not_allowed", "The destination must not contain a user name or password.");
  if (authority.length > AUTHORITY_CHARACTERS_MAX)
    return problem("host_not_allowed", "The destination's host is too long.");
  return null;
}

// Checked before the host rules, so that a service on localhost or an IP address reports the true reason.
function findSelfReference(hostname: string, port: string, { ownHosts }: DestinationRules): Refusal | null {
  const isOurs = ownHosts.some((own) => hostNameOf(own) === hostname) && isServedPort(port, ownHosts);
  return isOurs ? selfReference(port === "" ? hostname : `${hostname}:${port}`) : null;
}

function findHostProblem(hostname: string, { allowPrivate }: DestinationRules): Refusal | null {
  if (isIpLiteral(hostname)) {
    if (!allowPrivate) return problem("host_not_allowed", "The destination needs a host name, not an IP address.");
    if (isReachableAddress(hostname)) return null;
    return problem("host_not_allowed", `${hostname} is not the address of a single host.`);
  }
  if (!isHostName(hostname)) return problem("host_not_allowed", "The destination's host is not a valid DNS name.");
  // RFC 7686 §2: outside Tor such a name must never be looked up, so it is not an intranet name either.
  if (ONION_SUFFIX.test(hostname)) return problem("host_not_allowed", "Visitors can't reach an .onion host.");
  if (allowPrivate) return null;
  if (isPrivateName(hostname))
    return problem("host_not_allowed", `The host "${hostname}" is private; visitors can't reach it.`);
  return null;
}

// Left out: "this network", link-local with the metadata address, multicast, reserved, and IPv4 inside IPv6.
function isReachableAddress(hostname: string): boolean {
  const ipv4 = IPV4.exec(hostname);
  if (ipv4) {
    const first = Number(ipv4[1]);
    return first !== 0 && first < 224 && !(first === 169 && Number(ipv4[2]) === 254);
  }
  const firstGroup = Number.parseInt(hostname.slice(1), 16);
  const isGlobal = firstGroup >= 0x2000 && firstGroup <= 0x3fff;
  const isUniqueLocal = firstGroup >= 0xfc00 && firstGroup <= 0xfdff;
  return isGlobal || isUniqueLocal || hostname === "[::1]";
}

function findPortProblem(port: string): Refusal | null {
  if (port === "" || !BAD_PORTS.has(Number(port))) return null;
  return problem("host_not_allowed", `Browsers refuse to open port ${port}.`);
}

function findNestedShortener(hostname: string, { shortenerHosts }: DestinationRules): Refusal | null {
  const bare = hostname.startsWith("www.") ? hostname.slice("www.".length) : hostname;
  if (!shortenerHosts.has(hostname) && !shortenerHosts.has(bare)) return null;
  return problem("nested_shortener", `${hostname} is a link shortener; use the address it leads to.`);
}
