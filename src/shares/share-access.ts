import { createHmac, timingSafeEqual } from "node:crypto";

interface Locked {
  readonly id: string;
  readonly password_hash: string | null;
}

const VALID_MS = 12 * 3_600_000;

/** Proofs that someone entered a share's password. Nothing is stored: each is valid for some hours, for one share only. */
export function shareAccess(secretKey: string) {
  const sign = ({ id, password_hash }: Locked, untilMs: string): Buffer =>
    createHmac("sha256", `share access:${secretKey}`).update(`${id} ${password_hash} ${untilMs}`).digest();

  return {
    grant(share: Locked, nowMs: number): string {
      const untilMs = String(nowMs + VALID_MS);
      return `${untilMs}.${sign(share, untilMs).toString("base64url")}`;
    },

    isGranted(share: Locked, access: string | null, nowMs: number): boolean {
      const [untilMs = "", signature = ""] = access?.split(".") ?? [];
      const given = Buffer.from(signature, "base64url");
      const expected = sign(share, untilMs);
      return given.length === expected.length && timingSafeEqual(given, expected) && Number(untilMs) > nowMs;
    },
  };
}
