/** One schema change; forward only, never edited once released. */
export interface Migration {
  readonly id: number;
  readonly name: string;
  readonly sqlite: string;
}
