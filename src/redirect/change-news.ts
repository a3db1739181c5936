import type { RedirectReader } from "#engines/records/redirect-reader.ts";
import type { LinkKey } from "#kernel/link-key.ts";

/** What a cache has to drop to be up to date again. */
export interface ChangeNews {
  /** The last commit that the cache then includes. */
  readonly seq: number;
  /** Null for everything. */
  readonly keys: readonly LinkKey[] | null;
}

/** What was announced. */
export interface AnnouncedChanges extends ChangeNews {
  /** Of each key, the number of its last change; without them it is anything up to `seq`. */
  readonly seqs?: readonly number[] | undefined;
}

export type ChangeLog = Pick<RedirectReader, "changesSince" | "lastSeq" | "hasForeignCommit">;

/** What was committed after `seq`, or nothing if there was no commit and the cache isn't behind. */
export async function newsSince(log: ChangeLog, seq: number | null, isBehind: boolean): Promise<ChangeNews | null> {
  // Checked before the log is read: a commit in between then shows up in the next check.
  const hasForeignCommit = await log.hasForeignCommit();
  if (!hasForeignCommit && !isBehind) return null;
  const changes = seq === null ? "gap" : await log.changesSince(seq);
  const keys = changes === "gap" ? null : changes.map(({ key }) => key);
  // The last number is read before anything is loaded again, so later commits aren't missed.
  if (keys === null || changes === "gap" || keys.includes(null)) return { seq: await log.lastSeq(), keys: null };
  return { seq: changes.at(-1)?.seq ?? seq ?? 0, keys: keys.filter((key) => key !== null) };
}
