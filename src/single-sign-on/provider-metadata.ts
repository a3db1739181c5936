import { z } from "zod";
import type { Clock } from "#kernel/clock.ts";
import type { ProviderClient } from "./provider-client.ts";
import { ProviderFailure } from "./provider-failure.ts";

const Metadata = z.object({
  issuer: z.string(),
  authorization_endpoint: z.url(),
  token_endpoint: z.url(),
  jwks_uri: z.url(),
  userinfo_endpoint: z.url().optional(),
  end_session_endpoint: z.url().optional(),
  token_endpoint_auth_methods_supported: z.array(z.string()).default(["client_secret_basic"]),
  id_token_signing_alg_values_supported: z.array(z.string()).default(["RS256"]),
});
const ENDPOINTS = [
  "authorization_endpoint",
  "token_endpoint",
  "jwks_uri",
  "userinfo_endpoint",
  "end_session_endpoint",
] as const;
export type Metadata = z.output<typeof Metadata>;

// It changes once in years, but reading it shows whether the provider is there before someone is sent to it. Many people
// at the same time must not turn into as many calls.
const FRESH_MS = 5_000;

interface Deps {
  readonly issuer: string;
  readonly client: ProviderClient;
  readonly clock: Clock;
}

/** The provider's own description. Throws a `ProviderFailure` if there is none. */
export function providerMetadata({ issuer, client, clock }: Deps): () => Promise<Metadata> {
  let last: { readonly read: Promise<Metadata>; readonly at: number } | null = null;
  return () => {
    const at = clock();
    // A failure is kept as long as a success.
    if (last === null || Math.abs(at - last.at) >= FRESH_MS) last = { read: readMetadata(issuer, client), at };
    return last.read;
  };
}

/** Throws a `ProviderFailure` that says what is wrong. */
export async function readMetadata(issuer: string, client: ProviderClient): Promise<Metadata> {
  const url = `${issuer.replace(/\/$/, "")}/.well-known/openid-configuration`;
  const { data, error } = Metadata.safeParse(await client.getJson(url));
  if (error) {
    const [{ path = [] } = {}] = error.issues;
    throw new ProviderFailure(`${url} lacks a valid ${path.join(".")}`);
  }
  // Otherwise a provider could speak for another one.
  if (data.issuer !== issuer) {
    throw new ProviderFailure(`the provider calls itself ${data.issuer}: set KURZ_OIDC_ISSUER to exactly that`);
  }
  // Browsers are led to some of these, and secrets are sent to others.
  const protocols = ["https:", new URL(issuer).protocol];
  const insecure = ENDPOINTS.find((name) => !protocols.includes(new URL(data[name] ?? issuer).protocol));
  if (insecure) throw new ProviderFailure(`${url}: the ${insecure} must begin with https://`);
  return data;
}
