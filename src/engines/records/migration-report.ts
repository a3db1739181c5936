export interface MigrationReport {
  readonly applied: readonly string[];
  readonly version: number;
}
