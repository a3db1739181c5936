import { createCipheriv, createDecipheriv, createHash, randomBytes } from "node:crypto";
import type { Clock } from "#kernel/clock.ts";

/** A sign-in that this browser has started at the provider. */
export interface Flow {
  readonly state: string;
  readonly nonce: string;
  readonly verifier: string;
  /** The path below /console that it leads to. */
  readonly next: string | null;
  /** Whether a signed-in user re-authenticates. */
  readonly confirms: boolean;
  /** In Unix milliseconds. */
  readonly startedAt: number;
}

interface Options {
  readonly secretKey: string;
  readonly https: boolean;
  readonly clock: Clock;
}

const LIFE_SECONDS = 600;
const IV_BYTES = 12;
const TAG_BYTES = 16;

/**
 * Binds a sign-in to the browser that has started it: the provider's answer is worth nothing elsewhere. Encrypted, so
 * that nothing has to be stored and any node can finish it.
 */
export function flowCookies({ secretKey, https, clock }: Options) {
  const key = createHash("sha256").update(`single-sign-on:${secretKey}`).digest();
  // No other host of the domain can set a cookie with this prefix, and so start a sign-in of its own in this browser.
  const name = `${https ? "__Host-" : ""}kurz.sso`;
  // Strict is enough: the provider leads to a page, and that page sends the answer.
  const attributes = `Path=/; HttpOnly; SameSite=Strict${https ? "; Secure" : ""}`;

  const seal = (flow: Flow): string => {
    const iv = randomBytes(IV_BYTES);
    const cipher = createCipheriv("aes-256-gcm", key, iv);
    const text = Buffer.concat([cipher.update(JSON.stringify(flow)), cipher.final()]);
    return Buffer.concat([iv, cipher.getAuthTag(), text]).toString("base64url");
  };

  const open = (sealed: string): Flow | null => {
    const bytes = Buffer.from(sealed, "base64url");
    if (bytes.length <= IV_BYTES + TAG_BYTES) return null;
    try {
      const decipher = createDecipheriv("aes-256-gcm", key, bytes.subarray(0, IV_BYTES));
      decipher.setAuthTag(bytes.subarray(IV_BYTES, IV_BYTES + TAG_BYTES));
      const text = Buffer.concat([decipher.update(bytes.subarray(IV_BYTES + TAG_BYTES)), decipher.final()]);
      return JSON.parse(text.toString()) as Flow;
    } catch {
      // Sealed with another key, or by nobody.
      return null;
    }
  };

  return {
    /** The `Set-Cookie` value. */
    start: (flow: Flow): string => `${name}=${seal(flow)}; Max-Age=${LIFE_SECONDS}; ${attributes}`,

    end: (): string => `${name}=; Max-Age=0; ${attributes}`,

    /** `null` if the browser has started none, or too long ago. */
    find(headers: Headers): Flow | null {
      const cookies = (headers.get("cookie") ?? "").split(/;\s*/);
      const value = cookies.find((cookie) => cookie.startsWith(`${name}=`))?.slice(name.length + 1) ?? "";
      const flow = open(value);
      return flow && clock() - flow.startedAt < LIFE_SECONDS * 1000 ? flow : null;
    },
  };
}
export type FlowCookies = ReturnType<typeof flowCookies>;
