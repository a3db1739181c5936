import { clickTexts, parseClick } from "#engines/clicks/click-format.ts";
import type { ClickLines } from "#sample-data/click-lines.ts";
import { definedTexts } from "./defined-texts.ts";

/** The columns of a plain line: one for each field, with the texts themselves. */
export const plainColumns = ["at_ms", "account_no", "link_no", "bot", "visitor", "source", ...clickTexts] as const;

/** The same clicks as lines with all of their texts, for programs that know nothing of text numbers. */
export function* plainLines(chunks: Iterable<ClickLines>): Generator<string> {
  const texts = definedTexts();
  for (const { lines, uses } of chunks) {
    texts.add(uses);
    for (const line of lines.split("\n").slice(0, -1)) {
      const click = parseClick(`${line}\n`, texts.textsOf);
      yield `${plainColumns.map((name) => (name === "bot" ? Number(click.bot) : click[name])).join("\t")}\n`;
    }
  }
}
