import { SourceProblem } from "#imports/import-source.ts";
import { DumpText, type DumpView, textOfFile } from "./dump-text.ts";
import { readRow, type SqlDialect, type SqlValue, valuesOfCopy } from "./sql-values.ts";

/** A row of a table, by its columns. */
export interface DumpRow {
  readonly table: string;
  readonly values: Readonly<Record<string, SqlValue | undefined>>;
}

const HEAD_CHARACTERS = 64 * 1024;

const NAME = '(?:[`"\\w]+\\.)?[`"]?([^`"\\s(]+)[`"]?';
const BLANK = /(?:\s+|--[^\n]*\n|#[^\n]*\n|\\[^\n]*\n)+/y;
const COMMENT = /\/\*/y;
const CREATE = new RegExp(`CREATE\\s+TABLE\\s+(?:IF\\s+NOT\\s+EXISTS\\s+)?${NAME}\\s*\\(`, "iy");
const INSERT = new RegExp(`INSERT\\s+(?:IGNORE\\s+)?INTO\\s+${NAME}\\s*(?:\\(([^)]*)\\))?\\s*VALUES\\s*`, "iy");
const COPY = new RegExp(`COPY\\s+${NAME}\\s*\\(([^)]*)\\)\\s+FROM\\s+stdin[^;\\n]*;\\r?\\n`, "iy");
const DELIMITER = /DELIMITER\s+(?!;)\S+\r?\n/iy;
const STATEMENT_PART = /['"`;$]|--|\/\*/g;
const DOLLAR_TAG = /\$\w*\$/y;
const NO_COLUMN = /^(?:PRIMARY|UNIQUE|KEY|INDEX|FULLTEXT|SPATIAL|CONSTRAINT|FOREIGN|CHECK|EXCLUDE)\b/i;

/**
 * The rows of a dump by mysqldump, phpMyAdmin, pg_dump or SQLite's `.dump`, in its order. Nothing is executed, and however
 * large the file is, only a piece of it is in memory.
 */
export async function* readSqlDump(path: string, signal: AbortSignal): AsyncGenerator<DumpRow> {
  const text = new DumpText(textOfFile(path), signal);
  try {
    await text.fill(HEAD_CHARACTERS);
    const dialect = (await text.read((view) => dialectOf(view))) ?? { hasBackslashes: true };
    yield* rowsOf(text, dialect);
  } finally {
    await text.close();
  }
}

function dialectOf(view: DumpView): SqlDialect {
  const start = view.match(/.{0,65536}/sy)?.[0] ?? "";
  view.at -= start.length;
  return { hasBackslashes: !/^PRAGMA |^BEGIN TRANSACTION|^-- PostgreSQL database dump/m.test(start) };
}

async function* rowsOf(text: DumpText, dialect: SqlDialect): AsyncGenerator<DumpRow> {
  const columnsOf = new Map<string, readonly string[]>();
  for (;;) {
    await text.fill(HEAD_CHARACTERS);
    if (text.isAtEnd) return;
    if (await text.read((view) => view.match(BLANK))) continue;
    if (await text.read((view) => view.match(COMMENT))) {
      await text.read((view) => view.skipPast("*/"));
      continue;
    }
    const [, created] = (await text.read((view) => view.match(CREATE))) ?? [];
    if (created !== undefined) {
      columnsOf.set(created, (await text.read(columnsIn)) ?? []);
      await skipStatement(text);
      continue;
    }
    const [, inserted, listed] = (await text.read((view) => view.match(INSERT))) ?? [];
    if (inserted !== undefined) {
      const columns = listed === undefined ? columnsOf.get(inserted) : namesIn(listed);
      yield* insertedRows(text, dialect, { table: inserted, columns: columns ?? [] });
      continue;
    }
    const [, copied, names] = (await text.read((view) => view.match(COPY))) ?? [];
    if (copied !== undefined) {
      yield* copiedRows(text, { table: copied, columns: namesIn(names ?? "") });
      continue;
    }
    if (await text.read((view) => view.match(DELIMITER))) await text.read((view) => view.skipPast("DELIMITER ;"));
    else await skipStatement(text);
  }
}

interface Table {
  readonly table: string;
  readonly columns: readonly string[];
}

const toRow = ({ table, columns }: Table, values: readonly SqlValue[]): DumpRow => ({
  table,
  values: Object.fromEntries(columns.map((name, index) => [name, values[index]])),
});

async function* insertedRows(text: DumpText, dialect: SqlDialect, table: Table): AsyncGenerator<DumpRow> {
  for (;;) {
    const values = await text.read((view) => readRow(view, dialect));
    if (!values) throw new SourceProblem("The SQL dump breaks off in the middle.");
    yield toRow(table, values);
    const isMore = await text.read((view) => {
      view.match(/\s*/y);
      return view.takeIf(",");
    });
    if (!isMore) break;
  }
  await skipStatement(text);
}

async function* copiedRows(text: DumpText, table: Table): AsyncGenerator<DumpRow> {
  for (;;) {
    const line = await text.read((view) => {
      const found = view.until(/\n/g);
      view.take();
      return found.endsWith("\r") ? found.slice(0, -1) : found;
    });
    if (line === null) throw new SourceProblem("The SQL dump breaks off in the middle.");
    if (line === "\\.") return;
    yield toRow(table, valuesOfCopy(line));
  }
}

/** Goes past the next semicolon that isn't part of a text or comment. */
async function skipStatement(text: DumpText): Promise<void> {
  for (let isOver: boolean | null = false; isOver === false; ) isOver = await text.read(skipPart);
}

function skipPart(view: DumpView): boolean {
  view.until(STATEMENT_PART);
  const character = view.take();
  if (character === ";") return true;
  if (character === "-") view.skipPast("\n");
  else if (character === "/") view.skipPast("*/");
  else if (character === "$") {
    view.at -= 1;
    const tag = view.match(DOLLAR_TAG)?.[0];
    if (tag === undefined) view.take();
    else view.skipPast(tag);
  } else {
    // A doubled quote ends one text and begins the next.
    view.until(new RegExp(character === "'" ? "(?<!\\\\)'" : character, "g"));
    view.take();
  }
  return false;
}

const unquoted = (name: string): string => name.trim().replaceAll(/^[`"]|[`"]$/g, "");

const namesIn = (list: string): string[] => list.split(",").map(unquoted);

/** The columns between the brackets of CREATE TABLE. */
function columnsIn(view: DumpView): string[] {
  const parts: string[] = [""];
  for (let depth = 1; depth > 0; ) {
    const character = view.take();
    if (character === "(") depth += 1;
    if (character === ")") depth -= 1;
    if (character === "'") {
      view.until(/'/g);
      view.take();
    } else if (character === "," && depth === 1) parts.push("");
    else if (depth > 0) parts.push((parts.pop() ?? "") + character);
  }
  return parts
    .map((part) => part.trim())
    .filter((part) => part !== "" && !NO_COLUMN.test(part))
    .map((part) => unquoted(/^[`"][^`"]+[`"]|^\S+/.exec(part)?.[0] ?? ""));
}
