import { readFileSync } from "node:fs";
import { shippedFile } from "#kernel/shipped-files.ts";

/** The terms of Kurz and of everything in it. The one-file program has to bring them along. */
export const licencesText = (): string =>
  (["LICENSE", "NOTICE", "THIRD_PARTY_LICENSES"] as const)
    .map((name) => readFileSync(shippedFile(name), "utf8").trim())
    .join("\n\n");
