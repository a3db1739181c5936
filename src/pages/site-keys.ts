import { createHmac, timingSafeEqual } from "node:crypto";
import type { Caller } from "#kernel/caller.ts";

export type SiteKeys = ReturnType<typeof siteKeys>;

/** They prove that a link of the account leads to a site, so that nobody can have the server ask others. */
export function siteKeys(secretKey: string) {
  const keyFor = ({ accountId }: Pick<Caller, "accountId">, site: string): string =>
    createHmac("sha256", secretKey).update(`icon of a site\0${accountId}\0${site}`).digest("base64url");
  return {
    keyFor,
    isKeyFor(caller: Pick<Caller, "accountId">, site: string, key: string): boolean {
      const expected = Buffer.from(keyFor(caller, site));
      const given = Buffer.from(key);
      return given.byteLength === expected.byteLength && timingSafeEqual(given, expected);
    },
  };
}
