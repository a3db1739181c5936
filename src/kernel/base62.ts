const ALPHABET = "0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz";
// The largest multiple of 62 that fits a byte: bytes above it would make the first symbols likelier.
const UNBIASED_BYTE_MAX = 248;

/** `length` random characters from a CSPRNG, each of the 62 equally likely. */
export function randomBase62(length: number): string {
  let text = "";
  while (text.length < length) {
    for (const byte of crypto.getRandomValues(new Uint8Array(length * 2))) {
      if (byte < UNBIASED_BYTE_MAX && text.length < length) text += ALPHABET[byte % 62];
    }
  }
  return text;
}

export function encodeBase62(value: number, width: number): string {
  let text = "";
  for (let rest = value; rest > 0; rest = Math.floor(rest / 62)) text = ALPHABET[rest % 62] + text;
  return text.padStart(width, "0");
}
