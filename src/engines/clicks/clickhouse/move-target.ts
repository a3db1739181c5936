import { OperatorMistake } from "#kernel/operator-mistake.ts";
import type { ClicksServerPlace } from "../../places.ts";
import { ClicksUnavailable, type SegmentPosition } from "../clicks-engine.ts";
import type { ClicksMoveTarget } from "../move/clicks-move.ts";
import {
  type DayDigest,
  type DayRange,
  type MovedColumn,
  type MovedTable,
  type MovedTableName,
  TEXT_SEPARATOR,
  VALUE_SEPARATOR,
} from "../move/moved-tables.ts";
import { DAY_MS } from "../slots.ts";
import { IMPORTED_THAT_COUNT, VISITS_THAT_COUNT } from "./imported.ts";
import { layoutOf, syncReplica } from "./layout.ts";
import { findLastMove, findMoveState, listTables, nextMoveNo } from "./move-log.ts";
import { type Patience, patientSession } from "./patient-session.ts";
import { CURRENT_TAGS } from "./report/conditions.ts";
import { claimDatabase, createMissing, prepareSchema } from "./schema.ts";
import { nameServer } from "./server-name.ts";
import { type ClickHouseSession, int, isUnfinished, openSession, REWRITE_TIMEOUT_MS } from "./session.ts";
import { COMPACTED_THAT_COUNT, IS_NOT_ABORTED } from "./structure.ts";

const STATEMENT_TIMEOUT_MS = 60_000;
const PAGE_TIMEOUT_MS = 600_000;

export interface MoveTargetOptions extends Pick<ClicksServerPlace, "url" | "cluster">, Patience {
  readonly installation: string;
  readonly statementTimeoutMs?: number;
}

/** A database that clicks are moved to. What `begin` has begun counts for no node before `finish`. */
export interface MoveTarget {
  /** Without a password. */
  readonly name: string;
  /** Changes nothing; throws `OperatorMistake` if the database may not be replaced. */
  findState(discards: boolean): Promise<ClicksMoveTarget["state"]>;
  /** Asks the same again, and empties the database. */
  begin(node: string, discards: boolean): Promise<BegunMove>;
  close(): Promise<void>;
}

export interface BegunMove {
  /** The values of a table's further columns: whose rows they are. */
  marksOf(table: MovedTable): Readonly<Record<string, string | number>>;
  /** Rows in Parquet's format. Call once for each page. */
  insert(table: MovedTable, page: number, bytes: Uint8Array): Promise<void>;
  /** Makes the rows those that count, as soon as the move is finished, and says how far the node's journal is stored. */
  settle(checkpoints: readonly SegmentPosition[]): Promise<void>;
  /** Of the rows that will count. Call after `settle`. */
  digest(table: MovedTable, days: DayRange): Promise<readonly DayDigest[]>;
  /** Opens the database to nodes. */
  finish(note: string): Promise<void>;
}

const emptied = [
  ...["compactions", "clicks", "expiring_clicks", "compacted_clicks", "compacted_visitors"],
  ...["tag_generations", "link_tags", "erased_links", "erased_accounts"],
  ...["imported_batches", "imported_compactions", "imported_clicks", "imported_visits", "imported_visitors"],
];

/**
 * Which rows a report reads. The server recognises pages of clicks and counts that it gets twice; erasures and tags may be
 * there twice.
 */
const counted: Readonly<Record<MovedTableName, string>> = {
  clicks: `clicks where ${IS_NOT_ABORTED}`,
  compacted_clicks: `compacted_clicks where ${COMPACTED_THAT_COUNT}`,
  compacted_visitors: `compacted_visitors where ${COMPACTED_THAT_COUNT}`,
  erased_links: "(select distinct account_no, link_no from erased_links) where true",
  erased_accounts: "(select distinct account_no from erased_accounts) where true",
  imported_clicks: `imported_clicks where ${IMPORTED_THAT_COUNT}`,
  imported_visits: `imported_visits where ${VISITS_THAT_COUNT}`,
  imported_visitors: `imported_visitors where ${IMPORTED_THAT_COUNT}`,
  imported_batches: "(select distinct account_no, import, no from imported_batches) where true",
  link_tags: `(select distinct position, account_no, link_no, tags from link_tags where ${CURRENT_TAGS}) where true`,
};

export function openMoveTarget({
  url,
  cluster,
  installation,
  statementTimeoutMs = STATEMENT_TIMEOUT_MS,
  ...patience
}: MoveTargetOptions): MoveTarget {
  const layout = layoutOf(cluster);
  const session = openSession({ url, connectionsMax: 2, statementTimeoutMs, settings: layout.settings });
  // What a begun move does may be done twice.
  const patient = patientSession(session, patience);
  const name = nameServer(url);

  const explained =
    (remedy: string) =>
    async <T>(work: () => Promise<T>): Promise<T> => {
      try {
        return await work();
      } catch (error) {
        if (!(error instanceof ClicksUnavailable)) throw error;
        throw new OperatorMistake(`${name}: ${error.message} ${remedy}`, { cause: error });
      }
    };
  const untouched = explained("Nothing was changed there; move again once it can be used.");
  const begun = explained("Servers ignore this data until a move completes; move again.");

  const findState = (discards: boolean, node: string | null = null): Promise<ClicksMoveTarget["state"]> =>
    untouched(() => findMoveState(session, { name, installation, discards, node }));

  return {
    name,

    findState: (discards) => findState(discards),

    begin: (node, discards) =>
      begun(async () => {
        if ((await listTables(session)) === null) await createMissing(layout, url, statementTimeoutMs);
        await prepareSchema(session, layout);
        await syncReplica(session, layout, [...emptied, "batches", "moves"]);
        await findState(discards, node);
        await claimDatabase(session, installation);
        const no = await nextMoveNo(patient);
        await patient.insertRows("moves (no, installation, state)", [[no, installation, "begun"]]);
        // Whatever an interrupted move, or a node, has sent and didn't get an answer for: it never counts.
        await patient.run(
          `insert into batches (node, batch, state) select node, batch, 'aborted' from batches
          group by node, batch having max(state) in ('begun', 'stored')`,
        );
        await patient.insertRows("batches (node, batch, state)", [[node, no, "begun"]]);
        for (const table of emptied) await empty(patient, table);
        return begunMove(patient, { name, node, no, installation, explained: begun });
      }),

    close: () => session.close(),
  };
}

interface Begun {
  readonly name: string;
  readonly node: string;
  readonly no: number;
  readonly installation: string;
  readonly explained: <T>(work: () => Promise<T>) => Promise<T>;
}

function begunMove(session: ClickHouseSession, { name, node, no, installation, explained }: Begun): BegunMove {
  const marksOf = (table: MovedTable): Readonly<Record<string, string | number>> => {
    if (table.name === "clicks") return { node, batch: no };
    if (table.name === "compacted_clicks" || table.name === "compacted_visitors") return { run: no };
    if (table.name.startsWith("imported_")) return { batch: no };
    return table.name === "link_tags" ? { generation: no } : {};
  };

  return {
    marksOf,

    insert: (table, page, bytes) =>
      explained(() => {
        const columns = [...table.columns.map((column) => column.name), ...Object.keys(marksOf(table))];
        return session.insert(`insert into ${table.name} (${columns.join(", ")}) format Parquet`, bytes, {
          settings: {
            insert_deduplication_token: `${node}:${no}:${table.name}:${page}`,
            max_partitions_per_insert_block: "0",
          },
          timeoutMs: PAGE_TIMEOUT_MS,
        });
      }),

    settle: (checkpoints) =>
      explained(async () => {
        await session.run(`insert into compactions select distinct ${int(no)}, intDiv(at_ms, ${DAY_MS}), 'dropped'
          from compacted_clicks where run = ${int(no)}`);
        await session.run(`insert into compactions select distinct ${int(no)}, day, 'dropped'
          from compacted_visitors where run = ${int(no)}`);
        await session.run(`insert into tag_generations values (${int(no)})`);
        const segments = checkpoints.map(({ segment }) => segment);
        const positions = checkpoints.map(({ offset }) => offset);
        await session.insertRows("batches (node, batch, state, segments, positions)", [
          [node, no, "stored", segments, positions],
        ]);
      }),

    digest: (table, days) =>
      explained(async () => {
        const rows = await session.rows(
          `select ${dayIn(table)} as of_day, count(),
            toString(sum(toUInt128(reinterpretAsUInt64(substring(MD5(${rowText(table)}), 9, 8)))))
          from ${counted[table.name]} and ${within(table, days)} group by of_day order by of_day`,
          { timeoutMs: PAGE_TIMEOUT_MS },
        );
        return rows.map(([day, count, sum]) => ({ day: Number(day), rows: Number(count), sum: String(sum) }));
      }),

    finish: (note) =>
      explained(async () => {
        const last = await findLastMove(session);
        if (last?.no !== no) throw new OperatorMistake(`another move into ${name} has begun meanwhile; move again`);
        await session.insertRows("moves (no, installation, state, note)", [[no, installation, "finished", note]]);
      }),
  };
}

async function empty(session: ClickHouseSession, table: string): Promise<void> {
  try {
    await session.run(`truncate table ${table}`, {
      // Servers keep large tables from being emptied by mistake.
      settings: { max_table_size_to_drop: "0" },
      timeoutMs: REWRITE_TIMEOUT_MS,
    });
  } catch (error) {
    // Servers that are away do it when they are back.
    if (!isUnfinished(error)) throw error;
  }
}

function dayIn({ dayOf }: MovedTable): string {
  if (dayOf === null) return "0";
  return dayOf === "day" ? "day" : `intDiv(at_ms, ${DAY_MS})`;
}

function within({ dayOf }: MovedTable, { fromDay, toDay }: DayRange): string {
  if (dayOf === null) return "true";
  const unit = dayOf === "day" ? 1 : DAY_MS;
  return `${dayOf} >= ${int(fromDay * unit)} and ${dayOf} < ${int(toDay * unit)}`;
}

const rowText = ({ columns }: MovedTable): string =>
  columns.length === 1
    ? columns.map(asText).join("")
    : `concatWithSeparator('${VALUE_SEPARATOR}', ${columns.map(asText).join(", ")})`;

function asText({ name, kind }: MovedColumn): string {
  if (kind === "flag") return `toString(toUInt8(${name}))`;
  if (kind === "optional number") return `ifNull(toString(${name}), '')`;
  if (kind === "texts") return `toString(length(${name})), arrayStringConcat(${name}, '${TEXT_SEPARATOR}')`;
  return `toString(${name})`;
}
