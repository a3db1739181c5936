import type { ClickPart } from "#engines/clicks/clicks-engine.ts";
import type { ClickLines } from "#sample-data/click-lines.ts";
import { definedTexts } from "./defined-texts.ts";

/** Click lines as parts of batches, each of a segment of its own. */
export function* clickParts(chunks: Iterable<ClickLines>, name: string): Generator<ClickPart> {
  const texts = definedTexts();
  let index = 0;
  for (const { lines, uses, clicks, botHits } of chunks) {
    texts.add(uses);
    index += 1;
    yield {
      segment: `${name}-${index}`,
      toOffset: 1,
      lines: Buffer.from(lines),
      count: clicks + botHits,
      textsOf: texts.textsOf,
    };
  }
}
