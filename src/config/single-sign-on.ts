import { type Config, type RawValues, settings } from "./settings.ts";
import type { RoleGrant } from "./value-kinds.ts";

/** The OpenID Connect provider that the operator has named. */
export interface SingleSignOnSettings {
  readonly issuer: string;
  readonly clientId: string;
  readonly clientSecret: string;
  /** For people. */
  readonly name: string;
  readonly domains: readonly string[];
  /** The id of the account that newcomers join. */
  readonly accountId: string | null;
  readonly rolesClaim: string;
  readonly roles: readonly RoleGrant[];
  readonly scopes: readonly string[];
  readonly signsOutAtProvider: boolean;
}

/** `null` if people sign in with Kurz's own passwords and passkeys only. */
export function singleSignOnOf(config: Config): SingleSignOnSettings | null {
  const { oidcIssuer: issuer, oidcClientId: clientId, oidcClientSecret: clientSecret } = config;
  if (issuer === null || clientId === null || clientSecret === null) return null;
  return {
    issuer,
    clientId,
    clientSecret,
    name: config.oidcName ?? new URL(issuer).host,
    domains: config.oidcDomains,
    accountId: config.oidcAccount,
    rolesClaim: config.oidcRolesClaim,
    roles: config.oidcRoles,
    scopes: config.oidcScopes,
    signsOutAtProvider: config.oidcLogout,
  };
}

const REQUIRED = {
  oidcClientId: "the client id that the provider has given to this deployment",
  oidcClientSecret: "the client secret that belongs to it",
  oidcDomains: "the e-mail domains whose people may sign in, such as acme.example",
} as const;

const isSet = (value: unknown): boolean => value !== null && (!Array.isArray(value) || value.length > 0);

/** Settings for single sign-on that are incomplete, or have no effect. */
export function singleSignOnProblems(values: RawValues): string[] {
  if (values.oidcIssuer === null) {
    const { oidcClientId, oidcClientSecret, oidcName, oidcDomains, oidcAccount, oidcRoles } = values;
    const given = Object.entries({ oidcClientId, oidcClientSecret, oidcName, oidcDomains, oidcAccount, oidcRoles });
    const names = given.flatMap(([key, value]) => (isSet(value) ? [settings[key as keyof typeof settings].name] : []));
    return names.length === 0 ? [] : [`${names.join(", ")}: set KURZ_OIDC_ISSUER, too, or single sign-on stays off`];
  }
  if (values.demo) return ["the demo has a user of its own: unset KURZ_OIDC_ISSUER"];
  const problems = Object.entries(REQUIRED).flatMap(([key, what]) =>
    isSet(values[key as keyof typeof REQUIRED])
      ? []
      : [`KURZ_OIDC_ISSUER needs ${settings[key as keyof typeof REQUIRED].name}: ${what}`],
  );
  if (values.oidcRoles.length > 0 && values.oidcAccount === null) {
    problems.push("KURZ_OIDC_ROLES needs KURZ_OIDC_ACCOUNT: the account in which the provider decides about roles");
  }
  return problems;
}
