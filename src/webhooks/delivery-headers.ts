import { createHmac } from "node:crypto";
import { secretBytes } from "./endpoint-secret.ts";

export interface SignedDelivery {
  readonly deliveryId: string;
  readonly event: string;
  readonly attempt: number;
  /** The exact bytes sent: the same JSON formatted differently wouldn't verify. */
  readonly body: Uint8Array;
  /** Newest first; includes the old one during a rotation. */
  readonly secrets: readonly string[];
  /** The time of this attempt in Unix seconds: receivers reject attempts older than five minutes. */
  readonly t: number;
}

/** Our own headers, plus those of Standard Webhooks so its libraries can verify too. */
export function deliveryHeaders({ deliveryId, event, attempt, body, secrets, t }: SignedDelivery) {
  return {
    "Content-Type": "application/json",
    "User-Agent": "Kurz-Webhooks/1.0",
    "Service-Signature": [`t=${t}`, ...secrets.map((secret) => `v1=${signHex(secret, t, body)}`)].join(","),
    "Service-Event": event,
    "Service-Delivery": deliveryId,
    "Service-Attempt": String(attempt),
    "webhook-id": deliveryId,
    "webhook-timestamp": String(t),
    "webhook-signature": secrets.map((secret) => `v1,${signStandard(secret, deliveryId, t, body)}`).join(" "),
  };
}

/** Keyed with the whole secret as text, including its prefix. */
const signHex = (secret: string, t: number, body: Uint8Array): string =>
  createHmac("sha256", secret).update(`${t}.`).update(body).digest("hex");

/** Keyed with the decoded bytes of the secret. */
const signStandard = (secret: string, id: string, t: number, body: Uint8Array): string =>
  createHmac("sha256", secretBytes(secret)).update(`${id}.${t}.`).update(body).digest("base64");
