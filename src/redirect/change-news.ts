import type { RedirectReader } from "#engines/records/redirect-reader.ts";

/** What a cache that was good up to an earlier commit has to drop. */
export interface ChangeNews {
  /** Up to here it is good again. */
  readonly seq: number;
  /** Null for everything. */
  readonly slugs: readonly string[] | null;
}

export type ChangeLog = Pick<RedirectReader, "changesSince" | "lastSeq" | "hasForeignCommit">;

/** What was committed after `seq`, or nothing where nobody committed and the cache is not behind anyway. */
export function newsSince(log: ChangeLog, seq: number | null, isBehind: boolean): ChangeNews | null {
  // Asked before the log is read: a commit in between then shows at the next check.
  const hasForeignCommit = log.hasForeignCommit();
  if (!hasForeignCommit && !isBehind) return null;
  const changes = seq === null ? "gap" : log.changesSince(seq);
  const slugs = changes === "gap" ? null : changes.map(({ slug }) => slug);
  // The number first: what is committed after it is read again.
  if (slugs === null || changes === "gap" || slugs.includes(null)) return { seq: log.lastSeq(), slugs: null };
  return { seq: changes.at(-1)?.seq ?? seq ?? 0, slugs: slugs.filter((slug) => slug !== null) };
}
