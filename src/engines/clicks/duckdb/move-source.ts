import { existsSync, mkdirSync, rmSync } from "node:fs";
import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { OperatorMistake } from "#kernel/operator-mistake.ts";
import { textGroups } from "../click-format.ts";
import type { SegmentPosition } from "../clicks-engine.ts";
import {
  type DayDigest,
  type DayRange,
  type MovedColumn,
  type MovedTable,
  type MovedTableName,
  TEXT_SEPARATOR,
  VALUE_SEPARATOR,
} from "../move/moved-tables.ts";
import { DAY_MS, SLOT_MS, SLOTS_PER_DAY } from "../slots.ts";
import { loadDuckDb } from "./load-duckdb.ts";
import { isUpToDate, prepareSchema } from "./migrations/migrations.ts";
import { checkClaim, visitorOfDay } from "./schema.ts";
import { int, literal, type Session, sessionOn } from "./session.ts";

export interface MoveSourceOptions {
  readonly path: string;
  /** Gets a file with a part of a table, again and again. */
  readonly batchDirectory: string;
  readonly installation: string;
}

/** The clicks of a file that no process has open. It is only read. */
export interface MoveSource {
  count(table: MovedTable): Promise<number>;
  /** All rows in Parquet's format, some at a time. `marks` are the values of further columns. */
  pages(table: MovedTable, marks: Readonly<Record<string, string | number>>): AsyncGenerator<MovedPage>;
  digest(table: MovedTable, days: DayRange): Promise<readonly DayDigest[]>;
  /** The days of the first and the last click; `null` if there are none. */
  extent(table: MovedTable): Promise<{ readonly firstDay: number; readonly lastDay: number } | null>;
  /** How far each segment of the journal is stored. */
  checkpoints(): Promise<readonly SegmentPosition[]>;
  close(): void;
}

export interface MovedPage {
  readonly rows: number;
  readonly bytes: Uint8Array;
}

/** A page has about 40 bytes per row, and is in memory as a whole. */
const PAGE_ROWS = 250_000;
const MEMORY_MB = 256;
export const PAGE_FILE = "page.parquet";
const SPILL_DIRECTORY = "move.tmp";

const texts = textGroups.flatMap((group) =>
  group.texts.map(({ name }) => `coalesce(${group.name}_texts.${name}, '') as ${name}`),
);
const joins = textGroups.map(
  ({ name, table }) => `left join ${table} ${name}_texts on ${name}_texts.no = t.${name}_no`,
);

interface TableSource {
  /** Where its rows are, and by which number they are read in parts. */
  readonly from: string;
  readonly key: string;
  readonly columns: readonly string[];
  /** Rows that others replace don't count. */
  readonly only?: string;
  readonly group?: string;
}

/** What the server's tables are made of. Columns are in the order of `movedTables`. */
const sources: Readonly<Record<MovedTableName, TableSource>> = {
  clicks: {
    from: "clicks t",
    key: "t.rowid",
    columns: [
      ...["t.at_ms::ubigint as at_ms", "t.account_no", "t.link_no", "t.bot", "t.qr"],
      // As in the journal: a visitor that comes back on the day of the switch must be the same one.
      `${visitorOfDay("t.visitor")} as visitor`,
      ...texts,
    ],
  },
  compacted_clicks: {
    from: "compacted_clicks t",
    key: "t.rowid",
    columns: [
      ...[`t.slot::ubigint * ${SLOT_MS} as at_ms`, "t.account_no", "t.link_no", "t.bot", "t.qr"],
      ...[...texts, "t.clicks::ubigint as clicks"],
    ],
  },
  compacted_visitors: {
    from: "compacted_visitors t",
    key: "t.rowid",
    columns: [
      ...["t.day", "t.account_no", "t.link_no", "t.with_bots", "t.clicks::ubigint as clicks"],
      "t.visitors::ubigint as visitors",
    ],
  },
  erased_links: {
    from: "erased_links t",
    key: "t.link_no",
    columns: ["t.account_no", "t.link_no"],
    // No link has the number 0; see REWRITE_AGAIN.
    only: "t.link_no <> 0",
    group: "all",
  },
  erased_accounts: { from: "erased_accounts t", key: "t.account_no", columns: ["t.account_no"], group: "all" },
  imported_clicks: {
    from: "imported_clicks t",
    key: "t.rowid",
    columns: [
      ...[`t.slot::ubigint * ${SLOT_MS} as at_ms`, "t.account_no", "t.link_no", "t.bot", "t.qr"],
      ...[...texts, "t.clicks::ubigint as clicks", "t.has_hour", "t.known", "t.earlier", "t.all_known"],
    ],
  },
  imported_visits: {
    from: "imported_visits t",
    key: "t.rowid",
    columns: [
      ...[`t.slot::ubigint * ${SLOT_MS} as at_ms`, "t.account_no", "t.link_no", "t.bot", "t.qr"],
      ...[...texts, "t.clicks::ubigint as clicks"],
      `${visitorOfDay("t.visitor", `t.slot // ${SLOTS_PER_DAY}`)} as visitor`,
    ],
  },
  imported_visitors: {
    from: "imported_visitors t",
    key: "t.rowid",
    columns: [
      ...["t.day", "t.account_no", "t.link_no", "t.with_bots", "t.clicks::ubigint as clicks"],
      "t.visitors::ubigint as visitors",
    ],
  },
  imported_batches: {
    from: "imported_batches t",
    key: "t.account_no",
    columns: ["t.account_no", "t.no", 't."import"'],
    group: "all",
  },
  link_tags: {
    from: "link_tags t",
    key: "t.link_no",
    columns: ["max(t.position) as position", "t.account_no", "t.link_no", "arg_max(t.tags, t.position) as tags"],
    group: "t.account_no, t.link_no",
  },
};

const hasTexts = ({ columns }: MovedTable): boolean => columns.some(({ name }) => name === "country");

function selectFrom(table: MovedTable, where: string, marks: readonly string[] = []): string {
  const { from, columns, only = "true", group } = sources[table.name];
  return `select ${[...columns, ...marks].join(", ")} from ${from} ${hasTexts(table) ? joins.join(" ") : ""}
    where ${only} and ${where} ${group === undefined ? "" : `group by ${group}`}`;
}

export async function openMoveSource({ path, batchDirectory, installation }: MoveSourceOptions): Promise<MoveSource> {
  const { DuckDBInstance } = await loadDuckDb();
  mkdirSync(batchDirectory, { recursive: true, mode: 0o700 });
  // A move that was killed may have left clicks there.
  for (const name of [PAGE_FILE, SPILL_DIRECTORY]) rmSync(join(batchDirectory, name), { recursive: true, force: true });
  const isThere = existsSync(path);
  const instance = await DuckDBInstance.create(isThere ? path : ":memory:", {
    ...(isThere && { access_mode: "READ_ONLY" }),
    memory_limit: `${MEMORY_MB}MB`,
    threads: "1",
    temp_directory: join(batchDirectory, SPILL_DIRECTORY),
    autoinstall_known_extensions: "false",
    autoload_known_extensions: "false",
    preserve_insertion_order: "false",
  });
  try {
    const session = sessionOn(await instance.connect());
    await session.run(`set allowed_directories = [${literal(`${batchDirectory}/`)}]`);
    await session.run("set enable_external_access = false");
    // Nobody has clicked yet.
    if (!isThere) await prepareSchema(session, path);
    else if (!(await isUpToDate(session))) {
      throw new OperatorMistake(
        `${path} is of another version of Kurz; start the server with this version once, and then move`,
      );
    }
    await checkClaim(session, path, installation);
    return sourceOf(session, join(batchDirectory, PAGE_FILE), () => instance.closeSync());
  } catch (error) {
    instance.closeSync();
    throw error;
  }
}

function sourceOf(session: Session, file: string, close: () => void): MoveSource {
  const numberOf = async (sql: string): Promise<number> => Number((await session.rows(sql))[0]?.[0]);

  return {
    count: (table) => numberOf(`select count(*)::double from (${selectFrom(table, "true")})`),

    async *pages(table, marks) {
      const { from, key } = sources[table.name];
      const last = await numberOf(`select coalesce(max(${key}), -1)::double from ${from}`);
      const constants = Object.entries(marks).map(([name, value]) =>
        typeof value === "number" ? `${int(value)}::ubigint as ${name}` : `${literal(value)} as ${name}`,
      );
      for (let at = 0; at <= last; at += PAGE_ROWS) {
        const part = `${key} >= ${int(at)} and ${key} < ${int(at + PAGE_ROWS)}`;
        const rows = await session.run(
          `copy (${selectFrom(table, part, constants)}) to ${literal(file)} (format parquet)`,
        );
        try {
          if (rows > 0) yield { rows, bytes: await readFile(file) };
        } finally {
          rmSync(file, { force: true });
        }
      }
    },

    async digest(table, { fromDay, toDay }) {
      const day = table.dayOf === null ? "0" : table.dayOf === "day" ? "day" : `at_ms // ${DAY_MS}`;
      const rows = await session.rows(`
        select (${day})::double as of_day, count(*)::double,
          sum(md5_number_lower(concat_ws('${VALUE_SEPARATOR}', ${table.columns.map(asText).join(", ")})))::varchar
        from (${selectFrom(table, within(table, { fromDay, toDay }))}) group by of_day order by of_day`);
      return rows.map(([day, count, sum]) => ({ day: Number(day), rows: Number(count), sum: String(sum) }));
    },

    async extent(table) {
      if (table.dayOf === null) return null;
      const [row] = await session.rows(
        `select min(day)::double, max(day)::double from (select ${dayIn(table)} as day from ${sources[table.name].from})`,
      );
      return row?.[0] == null ? null : { firstDay: Number(row[0]), lastDay: Number(row[1]) };
    },

    async checkpoints() {
      const rows = await session.rows("select segment, max(position)::double from ingested group by segment");
      return rows.map(([segment, offset]) => ({ segment: String(segment), offset: Number(offset) }));
    },

    close,
  };
}

/** The day of a row of the file itself. */
function dayIn({ name, dayOf }: MovedTable): string {
  if (dayOf === "day") return "t.day";
  return name === "clicks" ? `t.at_ms // ${DAY_MS}` : `t.slot::ubigint * ${SLOT_MS} // ${DAY_MS}`;
}

function within(table: MovedTable, { fromDay, toDay }: DayRange): string {
  if (table.dayOf === null) return "true";
  // Whole groups of rows are skipped by their times, not by something computed from them.
  if (table.name === "clicks") return `t.at_ms >= ${int(fromDay * DAY_MS)} and t.at_ms < ${int(toDay * DAY_MS)}`;
  return `${dayIn(table)} >= ${int(fromDay)} and ${dayIn(table)} < ${int(toDay)}`;
}

function asText({ name, kind }: MovedColumn): string {
  if (kind === "flag") return `${name}::integer`;
  if (kind === "optional number") return `coalesce(${name}::varchar, '')`;
  if (kind === "texts") return `len(${name}), array_to_string(${name}, '${TEXT_SEPARATOR}')`;
  return name;
}
