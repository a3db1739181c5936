/** Doubles from `firstMs` with every failure in a row, up to `mostMs`. */
export const backoffMs = (failures: number, firstMs: number, mostMs: number): number =>
  Math.min(mostMs, firstMs * 2 ** Math.max(0, failures - 1));
