import type { Clock } from "#kernel/clock.ts";
import type { Json } from "./provider-client.ts";
import { ProviderFailure } from "./provider-failure.ts";
import type { FindKeys } from "./provider-keys.ts";
import type { Metadata } from "./provider-metadata.ts";

// Clocks of servers differ a little.
const TOLERANCE_SECONDS = 60;
const SUBJECT_LENGTH_MAX = 255;

/** Never `none`, and nothing that is signed with a shared secret. */
const ASYMMETRIC = /^(?:[RP]S(?:256|384|512)|ES(?:256|384|512)|Ed(?:DSA|25519))$/;

interface Expected {
  readonly metadata: Metadata;
  readonly clientId: string;
  readonly nonce: string;
}

export interface IdToken {
  readonly subject: string;
  /** When the person last entered their password or the like at the provider, in Unix milliseconds; `null` if unknown. */
  readonly authenticatedAt: number | null;
  readonly claims: Json;
}

/** Verifies a token as OpenID Connect Core 3.1.3.7 says. Throws a `ProviderFailure` if it isn't meant for this sign-in. */
export const idTokenReader =
  ({ keys, clock }: { readonly keys: FindKeys; readonly clock: Clock }) =>
  async (token: string, { metadata, clientId, nonce }: Expected): Promise<IdToken> => {
    const { errors, jwtVerify } = await import("jose");
    const { payload } = await jwtVerify(token, keys(metadata.jwks_uri), {
      issuer: metadata.issuer,
      audience: clientId,
      algorithms: metadata.id_token_signing_alg_values_supported.filter((name) => ASYMMETRIC.test(name)),
      clockTolerance: TOLERANCE_SECONDS,
      currentDate: new Date(clock()),
      requiredClaims: ["sub", "exp", "iat", "nonce"],
    }).catch((error: unknown): never => {
      if (!(error instanceof errors.JOSEError)) throw error;
      throw new ProviderFailure(`the ID token isn't valid: ${error.message}`, { cause: error });
    });
    const { sub, nonce: given, aud, azp, auth_time } = payload;
    if (given !== nonce) throw new ProviderFailure("the ID token is for another sign-in");
    const isForOthers = Array.isArray(aud) && aud.length > 1;
    if ((isForOthers || azp !== undefined) && azp !== clientId) {
      throw new ProviderFailure("the ID token is for another client");
    }
    if (typeof sub !== "string" || sub === "" || sub.length > SUBJECT_LENGTH_MAX) {
      throw new ProviderFailure("the ID token has no usable subject");
    }
    // A time to come, such as one in milliseconds, would count as new for as long.
    const isPlausible = typeof auth_time === "number" && auth_time * 1000 <= clock() + TOLERANCE_SECONDS * 1000;
    return { subject: sub, authenticatedAt: isPlausible ? auth_time * 1000 : null, claims: payload };
  };
export type ReadIdToken = ReturnType<typeof idTokenReader>;

/** Whether the provider has asked the person since then. */
export const isAuthenticatedSince = ({ authenticatedAt }: Pick<IdToken, "authenticatedAt">, at: number): boolean =>
  authenticatedAt !== null && authenticatedAt >= at - TOLERANCE_SECONDS * 1000;
