import { createHmac, timingSafeEqual } from "node:crypto";

/** What the node that a client connected to knows about its request. */
export interface ForwardedFacts {
  readonly clientAddress: string;
  readonly requestId: string;
  /** The scheme that the client used, if a trusted proxy has said so. */
  readonly scheme?: string | undefined;
  /** The length of a body that isn't forwarded, because it is too large for anything. */
  readonly unreadBytes?: string | undefined;
}

/** From a node without the role `control` to one with it. */
export const FORWARDED_HEADER = "kurz-forwarded";

// Longer than clocks of machines differ and requests take; nobody can use what they have overheard for longer.
const AGE_MS_MAX = 60_000;

/** The value of the header: only nodes with the same secret can make it. */
export function sealFacts(secret: string, facts: ForwardedFacts, nowMs: number): string {
  const text = Buffer.from(JSON.stringify({ ...facts, at: nowMs })).toString("base64url");
  return `${text}.${sign(secret, text).toString("base64url")}`;
}

/** Returns nothing for a value that no node with this secret has made within the last minute. */
export function openFacts(secret: string, value: string, nowMs: number): ForwardedFacts | undefined {
  const [text = "", signature = ""] = value.split(".");
  const given = Buffer.from(signature, "base64url");
  const expected = sign(secret, text);
  if (given.length !== expected.length || !timingSafeEqual(given, expected)) return undefined;
  const { at, ...facts } = JSON.parse(Buffer.from(text, "base64url").toString()) as ForwardedFacts & { at: number };
  return Math.abs(nowMs - at) <= AGE_MS_MAX ? facts : undefined;
}

const sign = (secret: string, text: string): Buffer =>
  createHmac("sha256", `forwarded:${secret}`).update(text).digest();
