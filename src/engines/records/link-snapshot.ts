import type { LinkKey } from "#kernel/link-key.ts";
import type { Found } from "./redirect-reader.ts";

export type KnownLink = Exclude<Found, null>;

/** Links that a redirect process has looked up, in a file of its own, for when the server for records is away. */
export interface LinkSnapshot {
  /** The last change that it includes; `null` for a new one. */
  position(): number | null;
  find(key: LinkKey): KnownLink | undefined;
  isEmpty(): boolean;
  /**
   * The number that a copy of this link elsewhere must include, so that it isn't older than what this snapshot was told;
   * `null` if it was told nothing yet.
   */
  changedAt(key: LinkKey): number | null;
  /**
   * Removes what doesn't include a change (`null` for everything), then adds links, as of this position; all of it or
   * nothing.
   */
  update(change: SnapshotUpdate): void;
  /** Removes links (`null` for all) that don't include the change with this number, without a trace. */
  forget(keys: readonly LinkKey[] | null, seq: number): void;
  close(): void;
  /** Closes it and deletes its file, as far as that is possible. */
  discard(): void;
}

export interface SnapshotUpdate {
  /** Each with the change that it includes at least, which may be later than the position. */
  readonly links: Iterable<readonly [key: LinkKey, link: KnownLink, asOf: number]>;
  /** Which links have changed, each with the number of its last change. */
  readonly changed: Iterable<readonly [key: LinkKey, seq: number]> | null;
  readonly position: number;
}

/** What other processes of the node remember, in files that only they write. */
export interface OtherSnapshots {
  /** The link in the snapshot that has come furthest, if it includes this change and those that the others know of. */
  find(key: LinkKey, notBefore: number): KnownLink | undefined;
  isEmpty(): boolean;
  /** Until it is used again. */
  close(): void;
}
