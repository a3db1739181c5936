import { CryptoHasher } from "bun";

/** Turns a name such as an address into one that says nothing to anyone without the secret, and is always the same. */
export type HideName = (name: string) => string;

const LENGTH = 22;

export function hiddenNames(secret: string): HideName {
  // Copying a keyed hasher is cheaper than keying a new one.
  const keyed = new CryptoHasher("sha256", `coordination:${secret}`);
  // 22 characters are 132 bits: no two names meet by chance.
  return (name) => keyed.copy().update(name).digest("base64url").slice(0, LENGTH);
}
