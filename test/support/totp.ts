import { confirmTwoFactor, startTwoFactor } from "#contract/console/user.ts";
import type { ConsoleClient } from "./console-client.ts";

const ALPHABET = "ABCDEFGHIJKLMNOPQRSTUVWXYZ234567";

/** The code that an authenticator app shows for a base-32 secret, in that many steps of 30 seconds. */
export async function codeFor(base32: string, steps = 0): Promise<string> {
  const bits = [...base32].map((letter) => ALPHABET.indexOf(letter).toString(2).padStart(5, "0")).join("");
  const bytes = (bits.match(/.{8}/g) ?? []).map((byte) => Number.parseInt(byte, 2));
  const key = await crypto.subtle.importKey("raw", new Uint8Array(bytes), { name: "HMAC", hash: "SHA-1" }, false, [
    "sign",
  ]);
  const counter = new DataView(new ArrayBuffer(8));
  counter.setBigUint64(0, BigInt(Math.floor(Date.now() / 30_000) + steps));
  const digest = new DataView(await crypto.subtle.sign("HMAC", key, counter));
  const number = digest.getUint32(digest.getUint8(19) & 15) & 0x7fffffff;
  return String(number % 1_000_000).padStart(6, "0");
}

/** Adds an authenticator app to someone's sign-in. */
export async function addApp(client: ConsoleClient): Promise<{ secret: string; backup_codes: string[] }> {
  const started = await client.do(startTwoFactor);
  await client.do(confirmTwoFactor, { body: { code: await codeFor(started.secret) } });
  return started;
}
