import { randomBytes } from "node:crypto";
import { readKeptText } from "./kept-text.ts";

const KEY_BYTES = 32;

/** The configured key, or one made on the first start and kept in the data directory for good. */
export const readSecretKey = (configured: string | null, path: string): string =>
  configured ?? readKeptText(path, () => randomBytes(KEY_BYTES).toString("base64url"));
