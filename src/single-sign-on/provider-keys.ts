import type { FlattenedJWSInput, JSONWebKeySet, JWSHeaderParameters, JWTVerifyGetKey } from "jose";
import type { Clock } from "#kernel/clock.ts";
import type { ProviderClient } from "./provider-client.ts";
import { ProviderFailure } from "./provider-failure.ts";

// Providers announce new keys before they use them, but not every one does.
const FRESH_MS = 3_600_000;
// An unknown key id asks for the keys again, but forged tokens must not turn into a flood of calls.
const RETRY_MS = 10_000;

/** The provider's public keys. One that isn't known yet makes them be read again, so the provider can rotate them. */
export function providerKeys({ client, clock }: { readonly client: ProviderClient; readonly clock: Clock }) {
  let known: { readonly find: JWTVerifyGetKey; readonly url: string; readonly at: number } | null = null;

  const read = async (url: string): Promise<JWTVerifyGetKey> => {
    const { createLocalJWKSet } = await import("jose");
    const keys = await client.getJson(url);
    if (!Array.isArray(keys.keys)) throw new ProviderFailure(`${url} lists no keys`);
    const find = createLocalJWKSet(keys as unknown as JSONWebKeySet);
    known = { find, url, at: clock() };
    return find;
  };

  return (url: string): JWTVerifyGetKey =>
    async (header?: JWSHeaderParameters, token?: FlattenedJWSInput) => {
      const { errors } = await import("jose");
      const isUsable = known !== null && known.url === url && clock() - known.at < FRESH_MS;
      const find = isUsable && known ? known.find : await read(url);
      try {
        return await find(header as never, token as never);
      } catch (error) {
        const isNew = error instanceof errors.JWKSNoMatchingKey && isUsable && known && clock() - known.at >= RETRY_MS;
        if (!isNew) throw error;
        return (await read(url))(header as never, token as never);
      }
    };
}
export type FindKeys = ReturnType<typeof providerKeys>;
