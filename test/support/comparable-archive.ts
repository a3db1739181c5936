import type { ArchivedCount, ArchivedVisitors } from "#contract/account-archive.ts";
import { recordsOf } from "./account-lab.ts";

const QUARTER_MS = 900_000;

/** What must be the same after moving: all but how it came here, and what visitors are called. */
export async function comparableArchive(archive: Uint8Array<ArrayBuffer>) {
  const found = await recordsOf(archive);
  return {
    links: found.links.map((link) => ({
      ...link,
      created_via: "import",
      last_clicked_at: quarterOf(link.last_clicked_at),
    })),
    history: inOrder(found.history.map((version) => ({ ...version, via: "import" }))),
    counts: inOrder(found.counts.map(nameless)),
    tags: found.tags,
    templates: found["utm-templates"],
  };
}

const quarterOf = (at: string | null): string | null =>
  at === null ? null : new Date(Date.parse(at) - (Date.parse(at) % QUARTER_MS)).toISOString();

const nameless = (count: ArchivedCount | ArchivedVisitors) =>
  "visitor" in count && typeof count.visitor === "string" ? { ...count, visitor: "someone" } : count;

const inOrder = (rows: readonly object[]): string[] =>
  rows.map((row) => JSON.stringify(Object.entries(row).toSorted(([a], [b]) => (a < b ? -1 : 1)))).toSorted();
