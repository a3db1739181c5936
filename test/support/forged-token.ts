import CRC32 from "crc-32";

const DIGITS = "0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz";
const SECRET_CHARACTERS = 43;
const CHECKSUM_CHARACTERS = 6;

/** The documented checksum, implemented independently of the product: CRC-32 in base 62. */
function checksum(text: string): string {
  let rest = CRC32.str(text) >>> 0;
  let digits = "";
  for (let count = 0; count < CHECKSUM_CHARACTERS; count += 1) {
    digits = DIGITS.charAt(rest % DIGITS.length) + digits;
    rest = Math.floor(rest / DIGITS.length);
  }
  return digits;
}

export const tokenIdOf = (token: string): string => token.split("_")[1] ?? "";

/** A well-formed token with a valid checksum and a secret that was never issued. */
export function forgeToken(id = "000000000000"): string {
  const bytes = crypto.getRandomValues(new Uint8Array(SECRET_CHARACTERS));
  const secret = [...bytes].map((byte) => DIGITS.charAt(byte % DIGITS.length)).join("");
  const text = `kurz_${id}_${secret}`;
  return text + checksum(text);
}

/** The same token with its last character changed. */
export const breakChecksum = (token: string): string => token.slice(0, -1) + (token.endsWith("0") ? "1" : "0");
