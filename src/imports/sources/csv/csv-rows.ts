import { CsvError, parse } from "csv-parse/sync";
import { BrokenQuotes, RecordSplitter, type SplitRow, UNCLOSED } from "./record-splitter.ts";

/** The cells of one row, or what is wrong with it. */
export type CsvRow =
  | { readonly line: number; readonly cells: readonly string[] }
  | { readonly line: number; readonly problem: string };

const CELLS_MAX = 500;
const LF = 0x0a;

/** All rows that aren't empty, a handful at a time. */
export async function* readRows(chunks: AsyncIterable<Uint8Array>, delimiter: string): AsyncGenerator<CsvRow[]> {
  const broken = new BrokenQuotes();
  const splitter = new RecordSplitter(delimiter, broken);
  const parser = rowParser(delimiter, broken);
  for await (const chunk of chunks) yield parser(splitter.push(chunk));
  yield parser(splitter.end());
}

interface RowBytes {
  readonly line: number;
  readonly bytes: Uint8Array;
}

function rowParser(delimiter: string, broken: BrokenQuotes): (split: readonly SplitRow[]) => CsvRow[] {
  const parseRows = (split: readonly SplitRow[]): CsvRow[] => {
    const rows: CsvRow[] = [];
    let block: RowBytes[] = [];
    const flush = (): void => {
      for (const row of parseBlock(block)) rows.push(row);
      block = [];
    };
    for (const row of split) {
      if ("problem" in row) {
        flush();
        rows.push(row);
      } else if (row.bytes.length > 0) {
        block.push(row);
      }
    }
    flush();
    return rows.filter((row) => "problem" in row || row.cells.some((cell) => cell.trim() !== ""));
  };

  /** Together, because that is many times as fast; in ever smaller parts if something is wrong with one of them. */
  const parseBlock = (block: readonly RowBytes[]): CsvRow[] => {
    const [first, second] = block;
    if (!first) return [];
    const parsed = tryParse(joinLines(block), delimiter);
    if (typeof parsed !== "string" && parsed.length === block.length) {
      return parsed.map((cells, index) => checkCells(block[index]?.line ?? 0, cells));
    }
    if (!second) return refuse(first, typeof parsed === "string" ? parsed : BAD_QUOTE);
    const middle = block.length >> 1;
    return [...parseBlock(block.slice(0, middle)), ...parseBlock(block.slice(middle))];
  };

  /** A quote that was closed by one of a later row hides the rows between them. */
  const refuse = ({ line, bytes }: RowBytes, problem: string): CsvRow[] => {
    const lineEnd = problem === BAD_QUOTE ? bytes.indexOf(LF) : -1;
    if (lineEnd < 0) return [{ line, problem }];
    broken.count();
    const splitter = new RecordSplitter(delimiter, broken, line + 1);
    const hidden = [...splitter.push(bytes.subarray(lineEnd + 1)), ...splitter.end()];
    return [{ line, problem: UNCLOSED }, ...parseRows(hidden)];
  };

  return parseRows;
}

const joinLines = (block: readonly RowBytes[]): Uint8Array =>
  Buffer.concat(block.flatMap(({ bytes }) => [bytes, Uint8Array.of(LF)]));

const checkCells = (line: number, cells: readonly string[]): CsvRow =>
  cells.length > CELLS_MAX ? { line, problem: `The row has more than ${CELLS_MAX} cells.` } : { line, cells };

/** Returns what is wrong as text. */
function tryParse(bytes: Uint8Array, delimiter: string): string[][] | string {
  try {
    const text = new TextDecoder("utf-8", { fatal: true, ignoreBOM: true }).decode(bytes);
    if (text.includes("\0")) return "The row contains a NUL character.";
    return parse(text, { delimiter, relax_column_count: true, record_delimiter: ["\r\n", "\n", "\r"] });
  } catch (error) {
    if (error instanceof CsvError) return BAD_QUOTE;
    if (error instanceof TypeError) return "The row isn't UTF-8 text.";
    throw error;
  }
}

const BAD_QUOTE = "A quote is in the wrong place.";
