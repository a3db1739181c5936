import { setTimeout as sleep } from "node:timers/promises";
import type { SingleSignOnSettings } from "#config/single-sign-on.ts";
import type { Clock } from "#kernel/clock.ts";
import { findClaim, hasAddress, isLeftOut, mergeClaims } from "./claims.ts";
import type { Flow } from "./flow-cookie.ts";
import { type IdToken, idTokenReader } from "./id-token.ts";
import { isObject, type Json, providerClient } from "./provider-client.ts";
import { ProviderFailure } from "./provider-failure.ts";
import { providerKeys } from "./provider-keys.ts";
import { type Metadata, providerMetadata } from "./provider-metadata.ts";

interface Deps {
  readonly settings: SingleSignOnSettings;
  readonly baseUrl: string;
  readonly clock: Clock;
}

// Someone who signs out is done here, and doesn't wait for a provider that is away.
const LOGOUT_MS_MAX = 2000;

/** Where the provider sends people back to; operators register it there. */
export const callbackOf = (baseUrl: string): string => `${baseUrl}/console/sso/callback`;

/**
 * The operator's provider, for the authorization code flow with PKCE. Requests are built by the sign-in library, as its
 * own OAuth plugin does, but sent by our guarded client.
 */
export function openProvider({ settings, baseUrl, clock }: Deps) {
  const { issuer, clientId, clientSecret, scopes } = settings;
  const redirectURI = callbackOf(baseUrl);
  const options = { clientId, clientSecret, redirectURI };
  const client = providerClient(issuer);
  const findMetadata = providerMetadata({ issuer, client, clock });
  const readIdToken = idTokenReader({ keys: providerKeys({ client, clock }), clock });

  const exchange = async (metadata: Metadata, code: string, verifier: string) => {
    const { authorizationCodeRequest } = await import("@better-auth/core/oauth2");
    const tokenEndpoint = metadata.token_endpoint;
    const { body, headers } = await authorizationCodeRequest({
      code,
      codeVerifier: verifier,
      redirectURI,
      options,
      tokenEndpoint,
      authentication: prefersBasic(metadata) ? "basic" : "post",
    });
    const { status, json } = await client.postForm(tokenEndpoint, body, headers);
    if (status !== 200 || !isObject(json))
      throw new ProviderFailure(`${tokenEndpoint} answered ${status}${codeIn(json)}`);
    const { id_token, access_token } = json;
    if (typeof id_token !== "string") throw new ProviderFailure(`${tokenEndpoint} sent no ID token`);
    return { idToken: id_token, accessToken: typeof access_token === "string" ? access_token : null };
  };

  /** Many providers only tell here what isn't needed to identify someone. */
  const readUserInfo = async (url: string, accessToken: string, subject: string): Promise<Json> => {
    const claims = await client.getJson(url, { authorization: `Bearer ${accessToken}` });
    if (claims.sub !== subject) throw new ProviderFailure(`${url} answered about someone else`);
    return claims;
  };

  const isMapped = settings.roles.length > 0;
  const lacks = (claims: Json): boolean =>
    !hasAddress(claims) || (isMapped && findClaim(claims, settings.rolesClaim) === undefined);

  const readMore = async ({ userinfo_endpoint: url }: Metadata, accessToken: string | null, person: IdToken) => {
    if (!lacks(person.claims) || accessToken === null || url === undefined) return person.claims;
    return mergeClaims(person.claims, await readUserInfo(url, accessToken, person.subject));
  };

  return {
    findMetadata,

    /** Where the person continues. */
    async authorizationUrl({ state, nonce, verifier, confirms }: Omit<Flow, "next">): Promise<string> {
      const [{ createAuthorizationURL }, metadata] = await Promise.all([
        import("@better-auth/core/oauth2"),
        findMetadata(),
      ]);
      const url = await createAuthorizationURL({
        id: "oidc",
        options,
        redirectURI,
        authorizationEndpoint: metadata.authorization_endpoint,
        state,
        codeVerifier: verifier,
        scopes: [...scopes],
        nonce,
        // The maximum age makes the provider say when it has asked for the password, and not only ask for it.
        ...(confirms && { prompt: "login", additionalParams: { max_age: "0" } }),
      });
      return url.href;
    },

    /** Who the provider says it is. Throws a `ProviderFailure` if its answer isn't valid. */
    async identify(code: string, { nonce, verifier }: Pick<Flow, "nonce" | "verifier">): Promise<IdToken> {
      const metadata = await findMetadata();
      const { idToken, accessToken } = await exchange(metadata, code, verifier);
      const person = await readIdToken(idToken, { metadata, clientId, nonce });
      const claims = await readMore(metadata, accessToken, person);
      // Someone in too many groups would lose their role.
      if (isMapped && isLeftOut(claims, settings.rolesClaim)) {
        throw new ProviderFailure(
          `too many values of ${settings.rolesClaim} for a token: have the provider send fewer`,
        );
      }
      return { ...person, claims };
    },

    /** Where to sign out of the provider; `null` if it doesn't offer that, or doesn't answer soon. */
    async logoutUrl(): Promise<string | null> {
      const found = findMetadata().catch((error: unknown) => {
        if (error instanceof ProviderFailure) return null;
        throw error;
      });
      const metadata = await Promise.race([found, sleep(LOGOUT_MS_MAX, null, { ref: false })]);
      if (metadata?.end_session_endpoint === undefined) return null;
      const url = new URL(metadata.end_session_endpoint);
      // Without a hint who it was: that would be the ID token, of which nothing is kept.
      url.searchParams.set("client_id", clientId);
      url.searchParams.set("post_logout_redirect_uri", `${baseUrl}/console/sign-in`);
      return url.href;
    },
  };
}
export type Provider = ReturnType<typeof openProvider>;

/** What the standard calls the default, unless the provider only knows the other. */
const prefersBasic = ({ token_endpoint_auth_methods_supported: methods }: Metadata): boolean =>
  methods.includes("client_secret_basic") || !methods.includes("client_secret_post");

/** The error's code alone: descriptions may repeat what was sent. */
const codeIn = (json: unknown): string =>
  isObject(json) && typeof json.error === "string" && /^\w{1,60}$/.test(json.error) ? ` (${json.error})` : "";
