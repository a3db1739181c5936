import { createHmac, timingSafeEqual } from "node:crypto";

const PERIOD_MS = 30_000;
const DIGITS = 6;
// One step to each side, as clocks differ and people type slowly (RFC 6238 §5.2).
const STEPS_AROUND = [0, -1, 1] as const;
const BASE32 = "ABCDEFGHIJKLMNOPQRSTUVWXYZ234567";

/** The 30-second step that a code belongs to, or `null` for a wrong one. */
export function findStep(secret: string, code: string, now: number): number | null {
  const current = Math.floor(now / PERIOD_MS);
  const given = Buffer.from(code);
  const isCodeOf = (step: number): boolean => {
    const expected = Buffer.from(codeOf(secret, step));
    return given.length === expected.length && timingSafeEqual(given, expected);
  };
  const around = STEPS_AROUND.find((steps) => isCodeOf(current + steps));
  return around === undefined ? null : current + around;
}

/** RFC 4226 §5.3, with the step as the counter. */
function codeOf(secret: string, step: number): string {
  const counter = Buffer.alloc(8);
  counter.writeBigUInt64BE(BigInt(step));
  const digest = createHmac("sha1", secret).update(counter).digest();
  const offset = (digest.at(-1) ?? 0) & 15;
  const number = (digest.readUInt32BE(offset) & 0x7fffffff) % 10 ** DIGITS;
  return String(number).padStart(DIGITS, "0");
}

/** What an authenticator app reads from a QR code. */
export function totpUri(secret: string, email: string): string {
  const query = new URLSearchParams({ secret: toBase32(secret), issuer: "Kurz", digits: "6", period: "30" });
  return `otpauth://totp/Kurz:${encodeURIComponent(email)}?${query}`;
}

/** RFC 4648 §6, without padding: what people type in where they cannot scan. */
export function toBase32(text: string): string {
  const bits = [...Buffer.from(text)].map((byte) => byte.toString(2).padStart(8, "0")).join("");
  return (bits.match(/.{1,5}/g) ?? []).map((five) => BASE32[Number.parseInt(five.padEnd(5, "0"), 2)]).join("");
}
