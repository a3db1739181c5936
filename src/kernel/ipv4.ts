const [DOT, ZERO, NINE] = [46, 48, 57];

/** An IPv4 address in its usual form as a number of 32 bits; -1 for any other text. Far cheaper than a pattern. */
export function ipv4NumberOf(text: string): number {
  let number = 0;
  let byte = -1;
  let dots = 0;
  for (let at = 0; at < text.length; at += 1) {
    const code = text.charCodeAt(at);
    if (code === DOT) {
      if (byte < 0 || dots === 3) return -1;
      number = number * 256 + byte;
      byte = -1;
      dots += 1;
    } else {
      // No byte but 0 itself starts with a zero.
      if (code < ZERO || code > NINE || byte === 0) return -1;
      byte = (byte < 0 ? 0 : byte) * 10 + (code - ZERO);
      if (byte > 255) return -1;
    }
  }
  return dots === 3 && byte >= 0 ? number * 256 + byte : -1;
}
