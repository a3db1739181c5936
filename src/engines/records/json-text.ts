import { type RawBuilder, sql as raw } from "kysely";
import { isPostgres } from "./engine-kind.ts";
import type { Sql } from "./schema.ts";

export type JsonPath = readonly (string | number)[];

// Escapes of NUL and of halves of surrogate pairs: PostgreSQL refuses the whole text, wherever in it they are.
const UNREADABLE = String.raw`\\u(0000|d[89a-f])`;

/** The text at a place in a column with JSON; `null` if there is none, or if the engine can't read the JSON. */
export function jsonText(sql: Sql, column: string, path: JsonPath): RawBuilder<string | null> {
  const body = raw.ref(column);
  if (isPostgres(sql)) {
    const place = raw.lit(`{${path.join(",")}}`);
    return raw`case when ${body} !~ ${raw.lit(UNREADABLE)} then ${body}::json #>> ${place} end`;
  }
  const steps = path.map((step) => (typeof step === "number" ? `[${step}]` : `.${step}`));
  return raw`json_extract(${body}, ${raw.lit(`$${steps.join("")}`)})`;
}
