/** An address without its scheme is what people paste. */
export const withScheme = (text: string): string => {
  const address = text.trim();
  return /^[^\s/:?#@]+\.[^\s/:?#@]{2,}(?:[:/?#]|$)/.test(address) ? `https://${address}` : address;
};
