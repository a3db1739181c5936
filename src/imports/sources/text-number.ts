/**
 * A text as a number of 53 bits, to find something by it. A text that was cut out of a file would keep all that was read
 * with it in memory.
 */
export const numberOf = (text: string): number => Number(BigInt.asUintN(53, BigInt(Bun.hash.wyhash(text))));
