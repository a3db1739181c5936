/** How many shades of the accent there are for what has clicks. */
export const SHADES = 6;

/**
 * The shade of a country or an hour, from 1 to `SHADES`; 0 without clicks. A few usually have most of the clicks, so it
 * follows the root: what has a hundredth of them can still be told from nothing.
 */
export function shadeOf(clicks: number, greatest: number): number {
  if (clicks <= 0 || greatest <= 0) return 0;
  return Math.max(1, Math.ceil(Math.sqrt(Math.min(1, clicks / greatest)) * SHADES));
}
