import type { ConflictPolicy } from "#contract/console/imports.ts";
import { noProblems, type ProblemCounts } from "./problem-list.ts";

/** How an import is done, as stored: no secret is among it. */
export interface ImportOptions {
  readonly url: string;
  readonly file: string | null;
  readonly countsFile: string | null;
  /** What people call the file. */
  readonly fileName: string | null;
  readonly columns: Readonly<Record<string, string>>;
  readonly onConflict: ConflictPolicy;
  /** For links whose host isn't a domain of the account; its default if `null`. */
  readonly domain: string | null;
  readonly tag: string | null;
  readonly sendsEvents: boolean;
  readonly withClicks: boolean;
  readonly countsFrom: number | null;
  readonly timeZone: string;
  /** Whether it waits for a person once it is checked. */
  readonly isDryRun: boolean;
}

/** How far each step has come, saved in the transactions of what it counts. */
export interface ImportProgress {
  readonly read: {
    readonly links: number;
    readonly counts: number;
    readonly unreadable: number;
    readonly notes: number;
  };
  /** Whether everything was read, and so what is spooled is complete. */
  readonly isRead: boolean;
  readonly checked: number;
  readonly links: LinksProgress;
  readonly counts: CountsProgress;
  /** How much of the file with problems is valid. */
  readonly problemBytes: number;
  readonly problems: ProblemCounts;
  readonly erased: number;
  /** Who has it undone, which is often not who started it. */
  readonly undoneBy?: string;
}

export interface LinksProgress {
  /** Into the spool. */
  readonly offset: number;
  readonly done: number;
  readonly created: number;
  readonly renamed: number;
  readonly imported_before: number;
  readonly conflicts: number;
  readonly refused: number;
}

export interface CountsProgress {
  readonly offset: number;
  /** The last one that is stored. */
  readonly batch: number;
  readonly done: number;
  readonly clicks: number;
  readonly skipped: number;
}

export const noOutcomes = { created: 0, renamed: 0, imported_before: 0, conflicts: 0, refused: 0 } as const;

export const noProgress: ImportProgress = {
  read: { links: 0, counts: 0, unreadable: 0, notes: 0 },
  isRead: false,
  checked: 0,
  links: { offset: 0, done: 0, ...noOutcomes },
  counts: { offset: 0, batch: 0, done: 0, clicks: 0, skipped: 0 },
  problemBytes: 0,
  problems: noProblems,
  erased: 0,
};
