import { SourceProblem } from "../../import-source.ts";
import { type CsvRow, readRows } from "./csv-rows.ts";
import { readUtf8 } from "./csv-text.ts";

const DELIMITERS = [",", ";", "\t", "|"] as const;

interface OpenCsv {
  /** The names of the columns. */
  readonly head: readonly string[];
  readonly rows: AsyncGenerator<CsvRow[]>;
}

/** Reads the first row, and leaves the others to the caller. */
export async function openCsv(file: string, signal: AbortSignal): Promise<OpenCsv> {
  const rows = readRows(readUtf8(file, signal), await findDelimiter(file, signal));
  for (let next = await rows.next(); !next.done; next = await rows.next()) {
    const [first, ...others] = next.value;
    if (!first) continue;
    if ("problem" in first) throw new SourceProblem(`The first row can't be read: ${first.problem}`);
    return { head: first.cells.map((name) => name.trim()), rows: after(others, rows) };
  }
  throw new SourceProblem("The file is empty. Its first row must name the columns.");
}

async function* after(first: CsvRow[], rows: AsyncGenerator<CsvRow[]>): AsyncGenerator<CsvRow[]> {
  yield first;
  yield* rows;
}

/** The one that the first line has most of. */
async function findDelimiter(file: string, signal: AbortSignal): Promise<string> {
  const chunks = readUtf8(file, signal);
  const { value } = await chunks.next();
  await chunks.return(undefined);
  const [line = ""] = new TextDecoder().decode(value ?? new Uint8Array(0)).split(/\r|\n/, 1);
  const counts = DELIMITERS.map((delimiter) => line.split(delimiter).length);
  return DELIMITERS[counts.indexOf(Math.max(...counts))] ?? ",";
}
