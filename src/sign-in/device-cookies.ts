import { createHmac, randomBytes, timingSafeEqual } from "node:crypto";
import type { Clock } from "#kernel/clock.ts";

interface Options {
  /** Signs the cookies. */
  readonly key: string;
  readonly https: boolean;
  readonly clock: Clock;
}

const NONCE_BYTES = 12;
const LIFE_DAYS = 180;
const LIFE_MS = LIFE_DAYS * 86_400_000;
// People who share a browser; the least recent sign-in is dropped first.
const PEOPLE_MAX = 5;

export interface KnownDevice {
  readonly id: string;
  /** When the person signed in, in Unix milliseconds. */
  readonly issuedAt: number;
}

/**
 * Remembers that someone has signed in with this browser before, so that strangers who guess their password can't lock
 * them out. It grants no access, only a separate budget of wrong passwords. For each person it contains a random id, an
 * expiry and a signature over both and the e-mail address, which the cookie doesn't reveal.
 */
export function deviceCookies({ key, https, clock }: Options) {
  // Sent to the console only. A cookie planted by another host has no valid signature.
  const name = `${https ? "__Secure-" : ""}kurz.device`;
  const attributes = `Max-Age=${LIFE_DAYS * 86_400}; Path=/console; HttpOnly; SameSite=Strict${https ? "; Secure" : ""}`;

  const sign = (nonce: string, end: string, email: string): string =>
    createHmac("sha256", key)
      .update(JSON.stringify([nonce, end, email.toLowerCase()]))
      .digest("base64url");

  const entriesIn = (headers: Headers): string[] => {
    const cookies = (headers.get("cookie") ?? "").split(/;\s*/);
    const value = cookies.find((cookie) => cookie.startsWith(`${name}=`))?.slice(name.length + 1) ?? "";
    return value.split("~", PEOPLE_MAX).filter((entry) => entry !== "");
  };

  const readEntry = (entry: string, email: string): KnownDevice | null => {
    const [nonce = "", end = "", signature = ""] = entry.split(".");
    const [given, expected] = [Buffer.from(signature), Buffer.from(sign(nonce, end, email))];
    if (given.length !== expected.length || !timingSafeEqual(given, expected)) return null;
    const endsAt = Number.parseInt(end, 36);
    return endsAt > clock() ? { id: nonce, issuedAt: endsAt - LIFE_MS } : null;
  };

  return {
    /** `null` if this person hasn't signed in with this browser before. */
    find(headers: Headers, email: string): KnownDevice | null {
      for (const entry of entriesIn(headers)) {
        const device = readEntry(entry, email);
        if (device) return device;
      }
      return null;
    },

    /** The `Set-Cookie` value after a sign-in: a new id replaces the one this person had. */
    renew(headers: Headers, email: string): string {
      const others = entriesIn(headers).filter((entry) => readEntry(entry, email) === null);
      const nonce = randomBytes(NONCE_BYTES).toString("base64url");
      const end = (clock() + LIFE_MS).toString(36);
      const own = `${nonce}.${end}.${sign(nonce, end, email)}`;
      return `${name}=${[own, ...others].slice(0, PEOPLE_MAX).join("~")}; ${attributes}`;
    },
  };
}
export type DeviceCookies = ReturnType<typeof deviceCookies>;
