import { migrations } from "../migrations/all.ts";
import { RecordsUnavailable } from "../records.ts";
import { sqlStateOf } from "./errors.ts";
import type { PostgresSchema } from "./facts.ts";

/** The newest schema that this release knows. */
export const NEWEST_SCHEMA = migrations.at(-1)?.id ?? 0;

/** Why this release can't use the tables; `null` if it can. */
export const newerSchemaProblem = (
  { version, worksFrom }: PostgresSchema,
  newest: number = NEWEST_SCHEMA,
): string | null =>
  worksFrom > newest ? `the data was written by a newer Kurz (schema ${version}, this one knows ${newest})` : null;

// Names that don't exist or mean something else, and values that a new column requires or a new check refuses.
const MISFIT = /^42|^(?:23502|23514)$/;
// However many statements fail, the schema is read once a second.
const READ_AGAIN_MS = 1000;

/** Turns the error of a statement into one that says more. */
export type Explain = (error: unknown) => Promise<unknown>;

/**
 * A newer release may change the tables beyond what a node can use that still runs. Its statements then fail like those
 * with a mistake, although nothing is wrong with them: the records are unavailable to this node until it is upgraded.
 */
export function newerSchemaCheck(
  readSchema: () => Promise<PostgresSchema | undefined>,
  now: () => number = () => performance.now(),
): Explain {
  let last: { readonly atMs: number; readonly problem: Promise<string | null> } | null = null;
  const findProblem = async (): Promise<string | null> => {
    const schema = await readSchema();
    return schema === undefined ? null : newerSchemaProblem(schema);
  };
  return async (error) => {
    if (!MISFIT.test(sqlStateOf(error) ?? "")) return error;
    if (last === null || now() - last.atMs >= READ_AGAIN_MS) {
      // If the schema can't be read, the statement's own error is all there is to say.
      last = { atMs: now(), problem: findProblem().catch(() => null) };
    }
    const problem = await last.problem;
    return problem === null ? error : new RecordsUnavailable(problem, { cause: error });
  };
}
