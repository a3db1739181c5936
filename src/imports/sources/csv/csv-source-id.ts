import { createHash } from "node:crypto";
import { numberOf } from "../text-number.ts";

const ADDRESS_CHARACTERS_MAX = 450;
const HASH_BYTES = 6;

/** Where a link is at the source. */
export interface LinkAddress {
  readonly host: string;
  readonly slug: string;
}

/**
 * By its address and where it leads: files of two services may have the same address for different links. If it has no
 * address, by what the file calls the link, or by all that the row says.
 */
export function sourceIdOf(address: LinkAddress, destination: string, id: string, cells: readonly string[]): string {
  if (address.slug !== "") return addressId(address, destinationHash(destination));
  const hash = (text: string): string => createHash("sha256").update(text).digest("hex").slice(0, 32);
  return id === "" ? `row:${hash(JSON.stringify(cells))}` : `id:${id.length > 100 ? hash(id) : id}`;
}

/** As people write it. */
export const addressText = ({ host, slug }: LinkAddress): string => (host === "" ? slug : `${host}/${slug}`);

const addressId = ({ host, slug }: LinkAddress, destination: number): string =>
  `${`${host}/${slug}`.slice(0, ADDRESS_CHARACTERS_MAX)} ${destination.toString(16).padStart(HASH_BYTES * 2, "0")}`;

const destinationHash = (text: string): number =>
  createHash("sha256")
    .update(URL.parse(text)?.href ?? text)
    .digest()
    .readUIntBE(0, HASH_BYTES);

/**
 * Finds links by address alone, as files with clicks name them: the first one of an address. Numbers instead of texts,
 * because there may be a million.
 */
export class LinksByAddress {
  readonly #destinations = new Map<number, number>();

  add(address: LinkAddress, destination: string): void {
    const key = keyOf(address);
    if (!this.#destinations.has(key)) this.#destinations.set(key, destinationHash(destination));
  }

  /** `null` if there is none. */
  sourceIdOf(address: LinkAddress): string | null {
    const destination = this.#destinations.get(keyOf(address));
    return destination === undefined ? null : addressId(address, destination);
  }
}

const keyOf = ({ host, slug }: LinkAddress): number => numberOf(`${host}/${slug}`);
