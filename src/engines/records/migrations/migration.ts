/** One schema change; forward only, never edited once released. */
export interface Migration {
  readonly id: number;
  readonly name: string;
  readonly sqlite: string;
  /** Left out up to `postgresBaseline`, which PostgreSQL starts with. */
  readonly postgres?: string;
  /**
   * The oldest schema whose code still works after this step, for nodes that are upgraded one after another; by default
   * only code that knows the step. Such a step only adds: tables, indexes, and columns that are nullable or have a default.
   */
  readonly worksFrom?: number;
}
