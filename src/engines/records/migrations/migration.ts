/** One step of the schema, forward only and never edited once released. */
export interface Migration {
  readonly id: number;
  readonly name: string;
  readonly sqlite: string;
}
