import { createCipheriv, createDecipheriv, createHash, randomBytes } from "node:crypto";

const SECRET_BYTES = 32;
const IV_BYTES = 12;
const TAG_BYTES = 16;
const PREFIX = "whsec_";

export const newSecret = (): string => PREFIX + randomBytes(SECRET_BYTES).toString("base64");

/** The random bytes of a secret: the key of the Standard Webhooks signature. */
export const secretBytes = (secret: string): Buffer => Buffer.from(secret.slice(PREFIX.length), "base64");

/** Encrypts signing secrets with the deployment's key. Each is bound to its endpoint. */
export function secretBox(secretKey: string) {
  const key = createHash("sha256").update(`webhook-secret:${secretKey}`).digest();
  return {
    seal(secret: string, endpointId: string): string {
      const iv = randomBytes(IV_BYTES);
      const cipher = createCipheriv("aes-256-gcm", key, iv).setAAD(Buffer.from(endpointId));
      const text = Buffer.concat([cipher.update(secret), cipher.final()]);
      return Buffer.concat([iv, cipher.getAuthTag(), text]).toString("base64");
    },

    /** Throws if it was sealed with another key or for another endpoint. */
    open(sealed: string, endpointId: string): string {
      const bytes = Buffer.from(sealed, "base64");
      const tagged = IV_BYTES + TAG_BYTES;
      const decipher = createDecipheriv("aes-256-gcm", key, bytes.subarray(0, IV_BYTES))
        .setAAD(Buffer.from(endpointId))
        .setAuthTag(bytes.subarray(IV_BYTES, tagged));
      return Buffer.concat([decipher.update(bytes.subarray(tagged)), decipher.final()]).toString();
    },
  };
}
export type SecretBox = ReturnType<typeof secretBox>;
