/** Rows per group, which DuckDB compresses together at a checkpoint. */
export const GROUP_ROWS = 122_880;

/** A batch of this size still fits into a group that is three quarters full. */
export const BATCH_ROWS_MAX = GROUP_ROWS / 4;

/**
 * Decides when to checkpoint: a group of new rows takes about a third of a second, however large the file. Groups are more
 * than three quarters full, so four never fit into three, which DuckDB would merge later.
 */
export class GroupFill {
  readonly #enough: number;
  #rows = 0;

  constructor(groupRows = GROUP_ROWS) {
    this.#enough = (groupRows * 3) / 4;
  }

  isFullAfter(batchRows: number): boolean {
    this.#rows += batchRows;
    return this.#rows > this.#enough;
  }

  clear(): void {
    this.#rows = 0;
  }
}
