import type { LinkKey } from "#kernel/link-key.ts";
/** An address (or its network), and for how many milliseconds its misses are blocked. */
export type BlockedAddress = readonly [address: string, forMs: number];
export type MissCount = readonly [address: string, misses: number];

export interface ChangeNotice {
  /** The notice's sequence number, repeated in the acknowledgement. */
  readonly n: number;
  readonly seq: number;
  /** The keys that changed; null means everything. */
  readonly keys: readonly LinkKey[] | null;
  /** Of each key, the number of its last change. */
  readonly seqs?: readonly number[];
  /** What changed can't be read at the moment: the cache stays, but the log has to be asked before each use. */
  readonly inDoubt?: true;
}

/** Messages from control to a redirect process, one JSON line each. */
export type ToRedirect =
  | { readonly type: "welcome" }
  | ({ readonly type: "changes" } & ChangeNotice)
  /** What other nodes had changed by this time has been announced. */
  | { readonly type: "current"; readonly at: number }
  /** Control keeps to so many of the last cores for now, so redirects had better use the others; 0 ends that. */
  | { readonly type: "cores"; readonly last: number }
  | { readonly type: "blocked"; readonly addresses: readonly BlockedAddress[] }
  /** Report `n` has been counted; addresses it blocked were sent before this message. */
  | { readonly type: "counted"; readonly n: number };

/** Messages from a redirect process to control, one JSON line each. */
export type ToControl =
  | { readonly type: "hello"; readonly pid: number }
  | { readonly type: "ack"; readonly n: number }
  | { readonly type: "misses"; readonly n: number; readonly counts: readonly MissCount[] };
