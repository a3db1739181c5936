import { type Definition, readDefinitions } from "#clicks/journal/definitions.ts";
import type { TextsOf } from "#engines/clicks/click-format.ts";

/** The texts of all definitions so far. */
export function definedTexts() {
  const texts = new Map<number, string>();
  const textsOf: TextsOf = (no) => texts.get(no);
  return {
    textsOf,
    add(uses: readonly Definition[]): void {
      for (const { no, line } of uses) if (!texts.has(no)) readDefinitions(Buffer.from(line), texts);
    },
  };
}
