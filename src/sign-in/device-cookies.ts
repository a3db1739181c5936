import { createHmac, randomBytes, timingSafeEqual } from "node:crypto";
import type { Clock } from "#kernel/clock.ts";

interface Options {
  /** Signs them; the server's own. */
  readonly key: string;
  readonly https: boolean;
  readonly clock: Clock;
}

const NONCE_BYTES = 12;
const LIFE_DAYS = 180;
const LIFE_MS = LIFE_DAYS * 86_400_000;
// People who share a browser; the one who signed in longest ago makes room.
const PEOPLE_MAX = 5;

/**
 * Remembers that someone has signed in with this browser before, so that strangers who guess at their password do not
 * keep them out. It opens nothing: its bearer has a budget of wrong passwords of their own. For each person it holds a
 * random number, an end and a signature over both and the e-mail address, which cannot be read from it.
 */
export function deviceCookies({ key, https, clock }: Options) {
  // Sent to the console only. Nobody can forge one, so a cookie that another host has planted is worth nothing.
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

  /** The random number of an entry that is this person's, or `null`. */
  const readEntry = (entry: string, email: string): string | null => {
    const [nonce = "", end = "", signature = ""] = entry.split(".");
    const [given, expected] = [Buffer.from(signature), Buffer.from(sign(nonce, end, email))];
    if (given.length !== expected.length || !timingSafeEqual(given, expected)) return null;
    return Number.parseInt(end, 36) > clock() ? nonce : null;
  };

  return {
    /** Names the device if this person has signed in with it before. */
    find(headers: Headers, email: string): string | null {
      for (const entry of entriesIn(headers)) {
        const nonce = readEntry(entry, email);
        if (nonce !== null) return nonce;
      }
      return null;
    },

    /** `Set-Cookie` after this person has signed in: a new number in the place of the one they had. */
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
