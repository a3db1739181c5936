/** What can be learnt about a server for records, without changing anything. */
export interface RecordsServerFacts {
  /** Such as `PostgreSQL 15.6`. */
  readonly version: string;
  /** Of one question and its answer. */
  readonly latencyMs: number;
  /** Whether it refuses changes. */
  readonly isStandby: boolean;
  /** Settings by which an acknowledged change may be lost, such as `fsync = off`. */
  readonly risks: readonly string[];
  /** By how much its clock is ahead of this machine's. */
  readonly clockAheadMs: number;
  /** How many connections it accepts, and how many one node may use; `null` behind a pooler. */
  readonly connections: { readonly accepted: number; readonly perNode: number } | null;
  /** The copy for look-ups; `null` without one. */
  readonly copy: CopyFacts | null;
}

export type CopyFacts =
  | { readonly problem: string }
  | {
      /** Whether it is a copy of this server at all. */
      readonly isSameInstallation: boolean;
      /** By how many changes it lags behind. */
      readonly changesBehind: number;
    };

/** Look-ups in it would redirect visitors to another installation's destinations. */
export const FOREIGN_COPY = "DATABASE_READ_URL is a database of another installation, not a replica of DATABASE_URL";
