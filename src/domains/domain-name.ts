import { getDomain } from "tldts";
import type { FieldError } from "#contract/errors.ts";
import { bodyProblem } from "#kernel/api-error.ts";
import { asciiName } from "#kernel/ascii-name.ts";
import { hostNameOf } from "#shared/host-name.ts";

/** The TXT record is in a name of its own, so it can exist beside a CNAME record. */
const RECORD_PREFIX = "_kurz.";
const NAME_BYTES_MAX = 253 - RECORD_PREFIX.length;
const HOST_NAME = /^(?:(?!-)[a-z0-9-]{1,63}(?<!-)\.)+(?!-)(?!\d+$)[a-z0-9-]{1,63}(?<!-)$/;
const ADDRESS = /^\[|^[\d.]+$|^0x/i;
// What the URL parser would take for the end of a host, or drop.
const NOT_IN_A_HOST = /[\s/\\?#@%\p{Cc}\p{Bidi_Control}]/u;

export type NameCheck =
  | { readonly ok: true; readonly name: string }
  | { readonly ok: false; readonly problem: FieldError };

/** `ownHosts` are those of the instance, maybe with a port. */
export function checkDomainName(input: string, ownHosts: readonly string[]): NameCheck {
  const refuse = (code: FieldError["code"], message: string): NameCheck => ({
    ok: false,
    problem: bodyProblem("name", code, message),
  });
  const text = input.trim();
  if (ADDRESS.test(text)) return refuse("host_not_allowed", "Use a host name, not an IP address.");
  if (text.includes(":")) return refuse("invalid_format", "Leave out the scheme and the port: only the host name.");
  if (NOT_IN_A_HOST.test(text)) return refuse("invalid_format", "Use a host name, such as go.example.com.");
  const name = asciiName(text);
  if (!HOST_NAME.test(name)) return refuse("invalid_format", "Use a host name, such as go.example.com.");
  if (name.length > NAME_BYTES_MAX) return refuse("too_long", `Use at most ${NAME_BYTES_MAX} characters.`);
  if (ownHosts.some((host) => hostNameOf(host) === name)) {
    return refuse("self_reference", "This is the instance's own host.");
  }
  // Whoever could claim a suffix under which others register names would speak for all of them.
  if (getDomain(name, { allowPrivateDomains: true }) === null) {
    return refuse("host_not_allowed", `${name} is a public suffix: add a name below it.`);
  }
  return { ok: true, name };
}

export const recordNameOf = (name: string): string => RECORD_PREFIX + name;
export const recordValueOf = (token: string): string => `kurz-verify=${token}`;
