/** DuckDB compresses rows in groups of so many, when its write-ahead log is worked into the file. */
export const GROUP_ROWS = 122_880;

/** A batch of at most this size still fits into a group that is three quarters full. */
export const BATCH_ROWS_MAX = GROUP_ROWS / 4;

/**
 * Tells when to work the log in: about one group of new rows takes a third of a second, however large the file.
 * Groups are more than three quarters full, so that no four of them fit into three, which DuckDB would merge later.
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
