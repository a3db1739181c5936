/**
 * A number from 0 up to, not including, 1 that is the same for a visitor and a link all day. The visitor is a hash
 * already; mixing it with the link makes the ways of two links independent of each other.
 */
export function shareOf(visitor: string, linkNo: number): number {
  let mixed = linkNo | 0;
  for (let at = 0; at < visitor.length; at += 8) {
    mixed = mix(mixed ^ Number.parseInt(visitor.slice(at, at + 8), 16));
  }
  return (mix(mixed) >>> 0) / 2 ** 32;
}

/** The last step of MurmurHash3: every bit of the number changes half of those of the result. */
function mix(number: number): number {
  let mixed = number | 0;
  mixed = Math.imul(mixed ^ (mixed >>> 16), 0x85ebca6b);
  mixed = Math.imul(mixed ^ (mixed >>> 13), 0xc2b2ae35);
  return mixed ^ (mixed >>> 16);
}

/** The first whose weight, added to those before it, exceeds the share. */
export function chooseWay<W extends { readonly weight: number }>(ways: readonly W[], share: number): W {
  const total = ways.reduce((sum, { weight }) => sum + weight, 0);
  let rest = share * total;
  for (const way of ways) {
    rest -= way.weight;
    if (rest < 0) return way;
  }
  const last = ways.at(-1);
  if (last === undefined) throw new Error("a split without ways");
  return last;
}
