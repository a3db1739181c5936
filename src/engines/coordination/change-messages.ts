/** An address (or its network) and for how many milliseconds from now its misses are refused. */
export type BlockedAddress = readonly [address: string, forMs: number];
export type MissCount = readonly [address: string, misses: number];

export interface ChangeNotice {
  /** Numbers the notices of one publisher; the acknowledgement repeats it. */
  readonly n: number;
  readonly seq: number;
  /** Which slugs changed; null means that everything did. */
  readonly slugs: readonly string[] | null;
}

/** One JSON line each, from control to a redirect process. */
export type ToRedirect =
  | { readonly type: "welcome" }
  | ({ readonly type: "changes" } & ChangeNotice)
  | { readonly type: "blocked"; readonly addresses: readonly BlockedAddress[] }
  /** The misses of report `n` are added up, and every address that they blocked was told before. */
  | { readonly type: "counted"; readonly n: number };

/** One JSON line each, from a redirect process to control. */
export type ToControl =
  | { readonly type: "hello"; readonly pid: number }
  | { readonly type: "ack"; readonly n: number }
  | { readonly type: "misses"; readonly n: number; readonly counts: readonly MissCount[] };
