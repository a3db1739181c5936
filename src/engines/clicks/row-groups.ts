/** DuckDB compresses rows in groups of so many, when its write-ahead log is worked into the file. */
export const GROUP_ROWS = 122_880;

/** Of equal batches up to this size, so many fit into a group that more than three quarters of it are full. */
export const BATCH_ROWS_MAX = GROUP_ROWS / 3;

/**
 * Tells when to do that: with about one group of new rows each time it takes a third of a second, however large the file,
 * and no group is left so small that DuckDB would merge it with its neighbours later.
 */
export class GroupFill {
  readonly #groupRows: number;
  #rows = 0;

  constructor(groupRows = GROUP_ROWS) {
    this.#groupRows = groupRows;
  }

  /** Whether another batch of that size would not find room in the group. */
  isFullAfter(batchRows: number): boolean {
    this.#rows += batchRows;
    return this.#rows + batchRows > this.#groupRows;
  }

  clear(): void {
    this.#rows = 0;
  }
}
