import { encodeClick, type JournalClick, openClickShapes } from "#clicks/click-shapes.ts";
import type { SegmentSlice } from "#clicks/ingestion/journal-consumer.ts";
import { readDefinitions } from "#clicks/journal/definitions.ts";
import type { Click, TextsOf } from "#engines/clicks/click-format.ts";
import type { ClickPart } from "#engines/clicks/clicks-engine.ts";

/** The texts that journal clicks define. */
export function textsOfAll(clicks: readonly JournalClick[]): TextsOf {
  const texts = new Map<number, string>();
  for (const { line } of clicks.flatMap(({ uses }) => uses)) readDefinitions(Buffer.from(line), texts);
  return (no) => texts.get(no);
}

/** Clicks as consumers get them from the journal. */
export function clickSlice(clicks: readonly Click[], place: Partial<SegmentSlice> = {}): SegmentSlice {
  const shapes = openClickShapes();
  const encoded = clicks.map((click) => encodeClick(click, shapes));
  return {
    segment: "local-000-0000000001-00000000.log",
    payload: Buffer.from(encoded.map(({ line }) => line).join("")),
    textsOf: textsOfAll(encoded),
    lines: clicks.length,
    firstSeq: 0,
    toOffset: 1,
    ...place,
  };
}

/** Clicks as an engine gets them. */
export function clickPart(clicks: readonly Click[], segment: string, toOffset: number): ClickPart {
  const { payload, lines, textsOf } = clickSlice(clicks);
  return { segment, toOffset, lines: payload, count: lines, textsOf };
}
