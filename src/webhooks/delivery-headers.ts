import { createHmac } from "node:crypto";
import { secretBytes } from "./endpoint-secret.ts";

export interface SignedDelivery {
  readonly deliveryId: string;
  readonly event: string;
  readonly attempt: number;
  /** The bytes that are sent: another spelling of the same JSON would not verify. */
  readonly body: Uint8Array;
  /** The newest first; a second one while the first is new. */
  readonly secrets: readonly string[];
  /** The time of this attempt in seconds: receivers refuse what is older than five minutes. */
  readonly t: number;
}

/** Our own headers, and beside them those of Standard Webhooks, so that its libraries verify too. */
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

/** Keyed with the text of the whole secret, its prefix included. */
const signHex = (secret: string, t: number, body: Uint8Array): string =>
  createHmac("sha256", secret).update(`${t}.`).update(body).digest("hex");

/** Keyed with the bytes that the secret spells. */
const signStandard = (secret: string, id: string, t: number, body: Uint8Array): string =>
  createHmac("sha256", secretBytes(secret)).update(`${id}.${t}.`).update(body).digest("base64");
