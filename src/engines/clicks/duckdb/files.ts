import { open } from "node:fs/promises";
import { reasonOf } from "#kernel/error-text.ts";
import { ClicksUnavailable } from "../clicks-engine.ts";
import { literal } from "./session.ts";

/** Writes a file for DuckDB to read. A disk that refuses is a passing problem. */
export async function writeFileOf(
  path: string,
  write: (append: (content: string | Uint8Array) => Promise<void>) => Promise<void>,
): Promise<void> {
  try {
    const file = await open(path, "w", 0o600);
    try {
      // Unlike `write`, it fails where the disk takes a part only: the rest would count as stored.
      await write((content) => file.appendFile(content));
    } finally {
      await file.close();
    }
  } catch (error) {
    throw new ClicksUnavailable(`The clicks can't be handed to the engine: ${reasonOf(error)}`, { cause: error });
  }
}

/** A tab-separated file as a table. An empty field is null; a row that doesn't fit the columns is an error. */
export function readTsv(file: string, columns: Readonly<Record<string, string>>): string {
  const types = Object.entries(columns).map(([name, type]) => `'${name}': '${type}'`);
  return `read_csv(${literal(file)}, columns = {${types.join(", ")}}, delim = '\t', nullstr = '', new_line = '\\n',
    header = false, auto_detect = false, quote = '', escape = '')`;
}
