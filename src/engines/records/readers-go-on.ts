import type { Migration } from "./migrations/migration.ts";

/** Whether code that knows a schema goes on working while, and after, newer steps are applied. */
export const readersGoOn = (migrations: readonly Migration[], version: number): boolean =>
  migrations.every(({ id, worksFrom = id }) => id <= version || worksFrom <= version);

/** Whether a schema has steps that this code doesn't know. */
export const isUnknownSchema = (migrations: readonly Migration[], version: number): boolean =>
  migrations.every(({ id }) => id < version);
