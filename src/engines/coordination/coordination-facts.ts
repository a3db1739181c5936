/** What can be learnt about the server that nodes share, without changing anything. */
export type CoordinationFacts =
  | { readonly problem: string }
  | {
      /** Such as `Redis 7.0.15`. */
      readonly version: string;
      readonly isOutdated: boolean;
      /** Of one question and its answer. */
      readonly latencyMs: number;
      /** The policy by which it may drop what still counts, if its memory is limited; `null` if it never does. */
      readonly drops: string | null;
      readonly writesToDisk: boolean;
    };
