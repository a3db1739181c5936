import type { RoleGrant } from "#config/value-kinds.ts";
import { Email, PersonName } from "#contract/console/session.ts";
import type { SsoRefusal } from "#contract/console/sso-refusal.ts";
import { isAtLeast, type Role } from "#contract/roles.ts";
import { isObject, type Json } from "./provider-client.ts";

/** An address for which the provider vouches. */
export function readEmail(
  claims: Json,
  domains: readonly string[],
): { readonly email: string } | { readonly refused: SsoRefusal } {
  const { data } = Email.safeParse(claims.email);
  if (data === undefined) return { refused: "no_email" };
  const email = data.toLowerCase();
  if (!isVerified(claims)) return { refused: "email_unverified" };
  return domains.includes(domainOf(email)) ? { email } : { refused: "domain" };
}

/** Entra ID only says that the domain belongs to the person's organization (`xms_edov`). */
const isVerified = ({ email_verified, xms_edov }: Json): boolean =>
  email_verified === undefined ? isTrue(xms_edov) || xms_edov === 1 || xms_edov === "1" : isTrue(email_verified);

/** Some send texts. */
const isTrue = (claim: unknown): boolean => claim === true || claim === "true";

const addressOf = ({ email, email_verified, xms_edov }: Json): Json => ({ email, email_verified, xms_edov });

/** Whether there is an address, and something about whose it is. */
export const hasAddress = ({ email, email_verified, xms_edov }: Json): boolean =>
  email !== undefined && (email_verified ?? xms_edov) !== undefined;

/**
 * The ID token's claims, and those that only the userinfo endpoint has. What is said of an address counts for the one in
 * the same document.
 */
export const mergeClaims = (token: Json, info: Json): Json => ({
  ...info,
  ...token,
  ...addressOf(hasAddress(token) || info.email === undefined ? token : info),
});

function domainOf(email: string): string {
  const domain = email.slice(email.lastIndexOf("@") + 1);
  return URL.canParse(`http://${domain}`) ? new URL(`http://${domain}`).hostname : "";
}

/** `null` if the provider has no name for the person that we could store. */
export function readName({ name, preferred_username }: Json): string | null {
  return PersonName.safeParse(name).data ?? PersonName.safeParse(preferred_username).data ?? null;
}

/** The claim by its name, or along its dots; `undefined` if there is none. */
export function findClaim(claims: Json, name: string): unknown {
  if (Object.hasOwn(claims, name)) return claims[name];
  const dot = name.indexOf(".");
  const inner = dot < 0 ? undefined : claims[name.slice(0, dot)];
  return isObject(inner) ? findClaim(inner, name.slice(dot + 1)) : undefined;
}

/** Whether there are too many values for a token, so that the provider only says where else they are (Entra ID). */
export function isLeftOut({ _claim_names: names, ...claims }: Json, name: string): boolean {
  const [first = ""] = name.split(".", 1);
  const isElsewhere = isObject(names) && (Object.hasOwn(names, name) || Object.hasOwn(names, first));
  return isElsewhere && findClaim(claims, name) === undefined;
}

/** The highest role that the claim gives; `null` if it gives none. */
export function roleOf(claims: Json, claim: string, grants: readonly RoleGrant[]): Role | null {
  const found = findClaim(claims, claim);
  const values: readonly unknown[] = Array.isArray(found) ? found : [found];
  const given = grants.filter(({ value }) => values.includes(value)).map(({ role }) => role);
  const rest = grants.filter(({ value }) => value === "*").map(({ role }) => role);
  return (given.length > 0 ? given : rest).reduce<Role | null>(
    (best, role) => (best !== null && isAtLeast(best, role) ? best : role),
    null,
  );
}
