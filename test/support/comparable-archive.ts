import type { ArchivedCount, ArchivedVisitors } from "#contract/account-archive.ts";
import { recordsOf } from "./account-lab.ts";

/** What must be the same after moving: all but how it came here, and what visitors are called. */
export async function comparableArchive(archive: Uint8Array<ArrayBuffer>) {
  const found = await recordsOf(archive);
  return {
    links: found.links.map((link) => ({ ...link, created_via: "import" })),
    history: inOrder(found.history.map((version) => ({ ...version, via: "import" }))),
    counts: inOrder(found.counts.map(nameless)),
    tags: found.tags,
    templates: found["utm-templates"],
  };
}

const nameless = (count: ArchivedCount | ArchivedVisitors) =>
  "visitor" in count && typeof count.visitor === "string" ? { ...count, visitor: "someone" } : count;

const inOrder = (rows: readonly object[]): string[] =>
  rows.map((row) => JSON.stringify(Object.entries(row).toSorted(([a], [b]) => (a < b ? -1 : 1)))).toSorted();
