import { createCipheriv, createDecipheriv, createHash, randomBytes } from "node:crypto";
import type { RedisLink } from "./redis-link.ts";
import { RedisScript } from "./redis-script.ts";

const AGREE = new RedisScript(`
local known = redis.call('GET', KEYS[1])
if known then return known end
redis.call('SET', KEYS[1], ARGV[1], 'PX', ARGV[2])
return ARGV[1]
`);

const CIPHER = "aes-256-gcm";
const NONCE_BYTES = 12;
const TAG_BYTES = 16;

export interface RedisAgreementsOptions {
  readonly link: Pick<RedisLink, "run">;
  readonly keyOf: (name: string) => string;
  /** The same on all nodes: the server only ever sees what is encrypted with it. */
  readonly secret: string;
}

/** See `Coordination.agree`. */
export function redisAgreements({ link, keyOf, secret }: RedisAgreementsOptions) {
  const key = createHash("sha256").update(`agreements:${secret}`).digest();

  const encrypt = (text: string): string => {
    const nonce = randomBytes(NONCE_BYTES);
    const cipher = createCipheriv(CIPHER, key, nonce);
    const sealed = [cipher.update(text, "utf8"), cipher.final()];
    return Buffer.concat([nonce, cipher.getAuthTag(), ...sealed]).toString("base64url");
  };

  const decrypt = (sealed: string): string => {
    const bytes = Buffer.from(sealed, "base64url");
    const decipher = createDecipheriv(CIPHER, key, bytes.subarray(0, NONCE_BYTES));
    decipher.setAuthTag(bytes.subarray(NONCE_BYTES, NONCE_BYTES + TAG_BYTES));
    return Buffer.concat([decipher.update(bytes.subarray(NONCE_BYTES + TAG_BYTES)), decipher.final()]).toString("utf8");
  };

  return async (name: string, proposal: string, forMs: number): Promise<string | null> => {
    try {
      return decrypt(String(await link.run(AGREE, [keyOf(name)], [encrypt(proposal), Math.max(1, Math.ceil(forMs))])));
    } catch {
      // The server is away, or a node with another key has written it.
      return null;
    }
  };
}
