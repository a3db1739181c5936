import { DESTINATION_BYTES_MAX } from "#contract/limits.ts";
import { withScheme } from "./with-scheme.ts";

const WITH_SCHEME = /^https?:\/\/[^\s]+$/i;
// A word with a dot may be many things; a name that ends in letters is an address more often than not.
const HOST_ONLY = /^(?:[\p{L}\p{N}-]+\.)+\p{L}{2,}(?:[:/?#]\S*)?$/u;

/** The address that a text is, or `null`. */
export function readPasted(text: string): string | null {
  const address = text.trim();
  if (address.length > DESTINATION_BYTES_MAX || !(WITH_SCHEME.test(address) || HOST_ONLY.test(address))) return null;
  const whole = withScheme(address);
  return URL.canParse(whole) ? whole : null;
}
