import { createHash } from "node:crypto";
import { encodeBase62, randomBase62 } from "#kernel/base62.ts";

const ID_CHARACTERS = 12;
const SECRET_CHARACTERS = 43;
const CHECKSUM_CHARACTERS = 6;
const TOKEN = /^kurz_([0-9A-Za-z]{12})_[0-9A-Za-z]{49}$/;

export interface NewToken {
  readonly id: string;
  readonly value: string;
  readonly hash: string;
}

/** `kurz_<id>_<secret><checksum>`: 256 bits of secret, and a checksum that detects typos without a query. */
export function newToken(): NewToken {
  return toToken(randomBase62(ID_CHARACTERS), randomBase62(SECRET_CHARACTERS));
}

/** For a known secret: the demo's token is public. */
export function toToken(id: string, secret: string): NewToken {
  const value = withChecksum(`kurz_${id}_${secret}`);
  return { id, value, hash: hashToken(value) };
}

/** The token's id, or `null` if it can't be one of ours. */
export function parseTokenId(value: string): string | null {
  const id = TOKEN.exec(value)?.[1];
  if (id === undefined) return null;
  return withChecksum(value.slice(0, -CHECKSUM_CHARACTERS)) === value ? id : null;
}

/** A fast hash is enough: nobody can guess 256 random bits, and a slow one would help attackers overload the server. */
export const hashToken = (value: string): string => createHash("sha256").update(value).digest("hex");

const withChecksum = (text: string): string => text + encodeBase62(Bun.hash.crc32(text), CHECKSUM_CHARACTERS);
