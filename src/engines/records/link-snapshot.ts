import type { RedirectRow } from "./redirect-reader.ts";

export type KnownLink = RedirectRow | "deleted";

/** Links that a redirect process has looked up, in a file of its own, for when the server for records is away. */
export interface LinkSnapshot {
  /** The last change that it includes; `null` for a new one. */
  position(): number | null;
  find(slug: string): KnownLink | undefined;
  isEmpty(): boolean;
  /** Removes what has changed (`null` for everything), then adds links, as of this position; all of it or nothing. */
  update(change: SnapshotUpdate): void;
  /** Removes links (`null` for all) without a trace. */
  forget(slugs: readonly string[] | null): void;
  close(): void;
  /** Closes it and deletes its file, as far as that is possible. */
  discard(): void;
}

export interface SnapshotUpdate {
  readonly links: Iterable<readonly [slug: string, link: KnownLink]>;
  readonly changed: readonly string[] | null;
  readonly position: number;
}
