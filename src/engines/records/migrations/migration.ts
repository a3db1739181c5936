/** One schema change; forward only, never edited once released. */
export interface Migration {
  readonly id: number;
  readonly name: string;
  readonly sqlite: string;
  /** Left out up to `postgresBaseline`, which PostgreSQL starts with. */
  readonly postgres?: string;
}
