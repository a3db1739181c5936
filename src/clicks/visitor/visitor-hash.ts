import type { CryptoHasher } from "bun";

export interface VisitorTraits {
  readonly accountNo: number;
  readonly network: string;
  readonly userAgent: string;
}

/** Remembers one result, since a network mostly holds one visitor, who comes back. */
export class LatestVisitor {
  readonly #network: string;
  #salted: CryptoHasher | undefined;
  #accountNo = 0;
  #userAgent = "";
  #hash = "";

  constructor(network: string) {
    this.#network = network;
  }

  hash(salted: CryptoHasher, accountNo: number, userAgent: string): string {
    if (salted !== this.#salted || accountNo !== this.#accountNo || userAgent !== this.#userAgent) {
      this.#hash = visitorHash(salted, { accountNo, network: this.#network, userAgent });
      this.#salted = salted;
      this.#accountNo = accountNo;
      this.#userAgent = userAgent;
    }
    return this.#hash;
  }
}

// Eight bytes.
const HASH_CHARACTERS = 16;

/** `salted` is keyed with the salt of the day and stays as it is. No trait but the last can hold the separator. */
export function visitorHash(salted: CryptoHasher, { accountNo, network, userAgent }: VisitorTraits): string {
  return salted.copy().update(`${accountNo}\0${network}\0${userAgent}`).digest("hex").slice(0, HASH_CHARACTERS);
}
