import type { CryptoHasher } from "bun";

export interface VisitorTraits {
  readonly accountNo: number;
  readonly network: string;
  readonly userAgent: string;
}

// Eight bytes.
const HASH_CHARACTERS = 16;

/** `salted` is keyed with the salt of the day and stays as it is. No trait but the last can hold the separator. */
export function visitorHash(salted: CryptoHasher, { accountNo, network, userAgent }: VisitorTraits): string {
  return salted.copy().update(`${accountNo}\0${network}\0${userAgent}`).digest("hex").slice(0, HASH_CHARACTERS);
}
