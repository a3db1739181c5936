import { readdirSync, readFileSync, statSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { findSegmentName } from "#clicks/journal/segment-name.ts";
import { undefinedIfMissing } from "#kernel/error-codes.ts";

/** How many bytes of each journal segment belong to the backup. */
export type JournalCut = ReadonlyMap<string, number>;

/** How far the journal has been written. */
export function measureJournal(directory: string): JournalCut {
  return new Map(listSegmentNames(directory).map((name) => [name, statSync(join(directory, name)).size]));
}

/** Combines two cuts, with the longer part of each segment. */
export const joinCuts = (a: JournalCut, b: JournalCut): JournalCut =>
  new Map([...a, ...b].map(([name]) => [name, Math.max(a.get(name) ?? 0, b.get(name) ?? 0)]));

/** Copies the part of the journal before the cut. Missing segments have been counted everywhere. */
export function copyJournal(from: string, to: string, cut: JournalCut): void {
  for (const name of listSegmentNames(from)) {
    const bytes = cut.get(name) ?? 0;
    if (bytes === 0) continue;
    const content = readFileSync(join(from, name));
    if (content.length < bytes) throw new Error(`the journal segment ${name} has become shorter`);
    writeFileSync(join(to, name), content.subarray(0, bytes), { mode: 0o600 });
  }
}

function listSegmentNames(directory: string): string[] {
  try {
    return readdirSync(directory).filter(findSegmentName);
  } catch (error) {
    return undefinedIfMissing(error) ?? [];
  }
}
