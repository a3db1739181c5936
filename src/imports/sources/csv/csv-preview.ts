import { SourceProblem } from "../../import-source.ts";
import {
  type CountField,
  findCountColumns,
  findLinkColumns,
  type LinkField,
  requireCountColumns,
  requireLinkColumns,
} from "./csv-columns.ts";
import { openCsv } from "./csv-head.ts";

export interface CsvPreview {
  readonly columns: readonly string[];
  /** The first rows, cell by cell. */
  readonly rows: readonly (readonly string[])[];
  /** Which column has which field, as far as their names say it, also where one that is needed is missing. */
  readonly mapping: Readonly<Partial<Record<LinkField | CountField, string>>>;
  /** Why the file can't be imported with this mapping. */
  readonly problem: string | null;
}

const ROWS_SHOWN = 10;
const COLUMNS_SHOWN = 100;
const CELL_CHARACTERS_SHOWN = 200;

/** What a file with links looks like, before anything is imported. */
export const previewCsv = (file: string, chosen: Readonly<Record<string, string>>): Promise<CsvPreview> =>
  preview(file, (head) => findLinkColumns(head, chosen), requireLinkColumns);

/** The same for a file with clicks by day. */
export const previewCounts = (file: string): Promise<CsvPreview> =>
  preview(file, findCountColumns, requireCountColumns);

type Head = readonly string[];

async function preview<F extends LinkField | CountField>(
  file: string,
  find: (head: Head) => ReadonlyMap<F, number>,
  require: (head: Head, found: ReadonlyMap<F, number>) => void,
): Promise<CsvPreview> {
  const { head, rows } = await openCsv(file, new AbortController().signal);
  const shown: string[][] = [];
  try {
    for await (const some of rows) {
      for (const row of some) {
        if (shown.length < ROWS_SHOWN && "cells" in row) shown.push(row.cells.slice(0, COLUMNS_SHOWN).map(shorten));
      }
      if (shown.length >= ROWS_SHOWN) break;
    }
  } finally {
    await rows.return(undefined);
  }
  const columns = head.slice(0, COLUMNS_SHOWN).map(shorten);
  let mapping: CsvPreview["mapping"] = {};
  try {
    const found = find(head);
    mapping = Object.fromEntries([...found].map(([field, index]) => [field, head[index] ?? ""])) as typeof mapping;
    require(head, found);
    return { columns, rows: shown, mapping, problem: null };
  } catch (error) {
    if (!(error instanceof SourceProblem)) throw error;
    return { columns, rows: shown, mapping, problem: error.message };
  }
}

const shorten = (text: string): string => text.slice(0, CELL_CHARACTERS_SHOWN);
