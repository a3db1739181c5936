import type { WriteFailure } from "./segment-log.ts";

/** Why a click was not journaled. */
export type LossReason = WriteFailure["reason"] | "journal_full" | "buffer_full" | "bad_line" | "closed";

const REASONS: readonly LossReason[] = [
  "disk_full",
  "write_failed",
  "journal_full",
  "buffer_full",
  "bad_line",
  "closed",
];
const UNWRITTEN = REASONS.length;

export const TALLY_CELLS = REASONS.length + 1;

export type Losses = Readonly<Record<LossReason, number>>;

/**
 * The clicks that a process has lost, and those it would lose if it were killed now. Both are recorded before the answers
 * are sent: if the cells outlive the process, every answered click is either in the journal or counted here.
 */
export class LossTally {
  readonly #cells: Float64Array;

  constructor(cells: Float64Array = new Float64Array(TALLY_CELLS)) {
    this.#cells = cells;
  }

  lose(reason: LossReason, clicks: number): void {
    this.#add(REASONS.indexOf(reason), clicks);
  }

  get lost(): Losses {
    return Object.fromEntries(REASONS.map((reason, at) => [reason, this.#cells[at] ?? 0])) as Losses;
  }

  /** Clicks that were answered but are still in memory. */
  get unwritten(): number {
    return this.#cells[UNWRITTEN] ?? 0;
  }

  addUnwritten(clicks: number): void {
    this.#add(UNWRITTEN, clicks);
  }

  /** Resets it for the next process. */
  clear(): void {
    this.#cells.fill(0);
  }

  #add(at: number, clicks: number): void {
    this.#cells[at] = (this.#cells[at] ?? 0) + clicks;
  }
}
