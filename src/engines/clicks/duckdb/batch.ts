import { join } from "node:path";
import { nextTurn } from "#kernel/next-turn.ts";
import { textGroups } from "../click-format.ts";
import { type FieldsOf, renumberLines, type ScannedLines, scanLines } from "../click-lines.ts";
import { BadClicks, type ClickBatch, type ClickPart } from "../clicks-engine.ts";
import { writeFileOf } from "./files.ts";
import type { ShapeNumbers } from "./shapes.ts";

/** A batch as a file that DuckDB reads by itself, which is several times cheaper than handing it values. */
export interface StagedBatch {
  readonly file: string;
  readonly count: number;
}

export const BATCH_FILE = "batch.tsv";

interface ScannedPart extends ClickPart {
  readonly scanned: ScannedLines;
}

/** Writes the batch's lines with the file's own text numbers. Other work gets its turn after each part. */
export async function stageBatch(batch: ClickBatch, shapes: ShapeNumbers, directory: string): Promise<StagedBatch> {
  const parts: ScannedPart[] = [];
  const wanted = textGroups.map(() => new Set<string>());
  for (const part of batch.parts) {
    const scanned = scan(part);
    parts.push({ ...part, scanned });
    for (const [index, numbers] of scanned.used.entries()) {
      for (const no of numbers) wanted[index]?.add(part.textsOf(no) ?? "");
    }
    await nextTurn();
  }
  const numbers = await shapes.find(wanted);
  const file = join(directory, BATCH_FILE);
  await writeFileOf(file, async (append) => {
    for (const part of parts) {
      await append(renumberLines(part.lines, part.scanned, fieldsOf(part, numbers)));
      await nextTurn();
    }
  });
  return { file, count: parts.reduce((sum, { count }) => sum + count, 0) };
}

function scan({ segment, lines, count }: ClickPart): ScannedLines {
  try {
    return scanLines(lines, count);
  } catch (error) {
    throw new BadClicks(segment, error instanceof Error ? error.message : String(error));
  }
}

const fieldsOf = ({ scanned, textsOf }: ScannedPart, numbers: readonly ReadonlyMap<string, number>[]): FieldsOf =>
  scanned.used.map((used, index) => {
    const tab = index === 0 ? "" : "\t";
    return new Map(Array.from(used, (no) => [no, `${tab}${numbers[index]?.get(textsOf(no) ?? "")}`]));
  });
