import type { Session } from "../session.ts";

/**
 * Brings a file to a version, in several transactions: the first stores the version, so that no earlier release touches
 * the file any more. Whatever ends it, the next call continues after the last transaction.
 */
export interface Migration {
  readonly version: number;
  /** Whether it has begun and not ended, in a file that has its version. */
  readonly isUnfinished: (session: Session) => Promise<boolean>;
  readonly count: (session: Session) => Promise<MigrationProgress>;
  readonly run: (session: Session, steps: MigrationSteps) => Promise<void>;
}

export interface MigrationSteps {
  readonly onProgress: (progress: MigrationProgress) => void;
  readonly stepRows: number;
}

/** In clicks and rows of compacted clicks. */
export interface MigrationProgress {
  readonly done: number;
  readonly total: number;
}
