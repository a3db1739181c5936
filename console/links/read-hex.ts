/** Whether typing on may still make it a colour. */
export const mayBecomeHex = (text: string): boolean => /^#?[\da-f]{0,6}$/i.test(text.trim());

/** A colour as people write or paste it (`#0F7`, `0f766e`) in the six digits of the API, if it is one. */
export function readHex(text: string): string | undefined {
  const digits = /^#?([\da-f]{3}|[\da-f]{6})$/i.exec(text.trim())?.[1]?.toLowerCase();
  return digits?.length === 3 ? digits.replace(/./g, "$&$&") : digits;
}
