import { createHash } from "node:crypto";
import { numberOf } from "../text-number.ts";

const ADDRESS_CHARACTERS_MAX = 450;
const HASH_BYTES = 6;
const SLUG_CHARACTERS_MAX = 64;

/** Where a link is at the source. */
export interface LinkAddress {
  readonly host: string;
  readonly slug: string;
}

/**
 * By the file's own id of the link, which is one of its host: two services may have the same. Without an id by its address
 * and where it leads, as files of two services may have the same address for different links, too. If it has no address
 * either, by all that the row says.
 */
export function sourceIdOf(address: LinkAddress, destination: string, id: string, cells: readonly string[]): string {
  const hash = (text: string): string => createHash("sha256").update(text).digest("hex").slice(0, 32);
  if (id !== "") return `${address.host} id:${id.length > 100 ? hash(id) : id}`.trimStart();
  return address.slug === "" ? `row:${hash(JSON.stringify(cells))}` : addressId(address, destinationHash(destination));
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
 * Finds links by address alone, as files with clicks name them: the first one of an address. Numbers instead of texts
 * unless the file has ids, because there may be a million.
 */
export class LinksByAddress {
  /** Where they lead, or else their ids. */
  readonly #known = new Map<number, number | string>();
  /** Which letters of a slug are capitals, by its address in lower case; `null` if links differ in that. */
  readonly #capitals = new Map<number, bigint | null>();

  add(address: LinkAddress, destination: string, sourceId: string): void {
    const key = keyOf(address);
    if (this.#known.has(key)) return;
    const leadsTo = destinationHash(destination);
    this.#known.set(key, addressId(address, leadsTo) === sourceId ? leadsTo : sourceId);
    const capitals = capitalsOf(address.slug);
    if (capitals === 0n) return;
    const lowerKey = keyOf(inLowerCase(address));
    this.#capitals.set(lowerKey, this.#capitals.has(lowerKey) ? null : capitals);
  }

  /** Slugs are case-insensitive here, but not everywhere, so the same case wins. `null` if there is none, or several. */
  sourceIdOf(address: LinkAddress): string | null {
    return this.#idOf(address) ?? this.#idInOtherCase(inLowerCase(address));
  }

  #idOf(address: LinkAddress): string | null {
    const known = this.#known.get(keyOf(address)) ?? null;
    return typeof known === "number" ? addressId(address, known) : known;
  }

  #idInOtherCase(lower: LinkAddress): string | null {
    const capitals = this.#capitals.get(keyOf(lower));
    const id = this.#idOf(lower);
    if (capitals === undefined) return id;
    return id === null && capitals !== null ? this.#idOf(withCapitals(lower, capitals)) : null;
  }
}

const keyOf = ({ host, slug }: LinkAddress): number => numberOf(`${host}/${slug}`);

// No other letters are in slugs, and the case of some changes how many there are.
const inLowerCase = ({ host, slug }: LinkAddress): LinkAddress => ({
  host,
  slug: slug.replaceAll(/[A-Z]/g, (letter) => letter.toLowerCase()),
});

/** A bit for each; none of a slug that is too long for a link anyway. */
function capitalsOf(slug: string): bigint {
  let capitals = 0n;
  if (slug.length > SLUG_CHARACTERS_MAX) return capitals;
  for (const { index } of slug.matchAll(/[A-Z]/g)) capitals |= 1n << BigInt(index);
  return capitals;
}

const withCapitals = ({ host, slug }: LinkAddress, capitals: bigint): LinkAddress => ({
  host,
  slug: slug.replaceAll(/[a-z]/g, (letter, index: number) =>
    (capitals >> BigInt(index)) & 1n ? letter.toUpperCase() : letter,
  ),
});
