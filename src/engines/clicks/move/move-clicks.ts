import { createHash } from "node:crypto";
import { OperatorMistake } from "#kernel/operator-mistake.ts";
import { type BegunMove, openMoveTarget } from "../clickhouse/move-target.ts";
import { type MoveSource, openMoveSource } from "../duckdb/move-source.ts";
import type { ClicksMove, ClicksMovePlan, MovedClicks, MovedClicksTable } from "./clicks-move.ts";
import { DAY_END, type DayDigest, type DayRange, type MovedTable, movedTables } from "./moved-tables.ts";

/** So many days are compared by one statement on each side. */
const COMPARED_DAYS = 32;

interface Options {
  readonly statementTimeoutMs?: number;
  readonly patienceMs?: number;
}

/** Finds out whether a move would work, without changing anything. */
export async function planClicksMove(move: ClicksMove, options: Options = {}): Promise<ClicksMovePlan> {
  const target = openMoveTarget({ ...move.to, installation: move.installation, onWait: move.onWait, ...options });
  try {
    const source = await openMoveSource({ ...move.from, installation: move.installation });
    try {
      const tables = await Promise.all(
        movedTables.map(async (table) => ({ name: table.name, rows: await source.count(table) })),
      );
      return { tables, target: { name: target.name, state: await target.findState(move.discards) } };
    } finally {
      source.close();
    }
  } finally {
    await target.close();
  }
}

/**
 * Copies all clicks, and everything else that reports are made from. Before the first row, the database is marked as
 * unfinished, and no node uses it until both sides were compared: so a move can be interrupted at any time, and repeated
 * any number of times. `node` is the one whose journal the clicks come from.
 */
export async function moveClicks(move: ClicksMove, node: string, options: Options = {}): Promise<MovedClicks> {
  const target = openMoveTarget({ ...move.to, installation: move.installation, onWait: move.onWait, ...options });
  try {
    const source = await openMoveSource({ ...move.from, installation: move.installation });
    try {
      const begun = await target.begin(node, move.discards);
      const rows = new Map<MovedTable, number>();
      for (const table of movedTables) rows.set(table, await copyTable(table, source, begun, move.onProgress));
      await begun.settle(await source.checkpoints());
      const tables: MovedClicksTable[] = [];
      for (const table of movedTables) {
        tables.push(await compareTable(table, rows.get(table) ?? 0, { source, begun, onProgress: move.onProgress }));
      }
      await begun.finish(JSON.stringify(tables));
      return { tables };
    } finally {
      source.close();
    }
  } finally {
    await target.close();
  }
}

async function copyTable(
  table: MovedTable,
  source: MoveSource,
  begun: BegunMove,
  onProgress: ClicksMove["onProgress"],
): Promise<number> {
  const rowsMax = await source.count(table);
  let rows = 0;
  let page = 0;
  const report = (): void => onProgress({ step: "copying", table: table.name, rows, rowsMax });
  report();
  for await (const { rows: added, bytes } of source.pages(table, begun.marksOf(table))) {
    await begun.insert(table, page, bytes);
    page += 1;
    rows += added;
    report();
  }
  return rows;
}

interface Comparison {
  readonly source: MoveSource;
  readonly begun: BegunMove;
  readonly onProgress: ClicksMove["onProgress"];
}

/** Each engine computes its own checksums, so a mistake in what was sent is found, too. */
async function compareTable(
  table: MovedTable,
  rowsMax: number,
  { source, begun, onProgress }: Comparison,
): Promise<MovedClicksTable> {
  const hash = createHash("sha256");
  let rows = 0;
  const report = (): void => onProgress({ step: "verifying", table: table.name, rows, rowsMax });
  report();
  for (const days of rangesOf(await source.extent(table))) {
    const [sent, found] = [await source.digest(table, days), await begun.digest(table, days)];
    const wrong = findDifference(sent, found);
    if (wrong !== undefined) throw differs(table, wrong);
    for (const { day, rows: ofDay, sum } of sent) {
      hash.update(`${day}\t${ofDay}\t${sum}\n`);
      rows += ofDay;
    }
    report();
  }
  return { name: table.name, rows, sha256: hash.digest("hex") };
}

/** All days there can be: the server must have nothing before the first and after the last, either. */
function rangesOf(extent: { readonly firstDay: number; readonly lastDay: number } | null): readonly DayRange[] {
  const starts = [0];
  for (let day = extent?.firstDay ?? 0; extent && day <= extent.lastDay; day += COMPARED_DAYS) {
    if (day > 0) starts.push(day);
  }
  return starts.map((fromDay, index) => ({ fromDay, toDay: starts[index + 1] ?? DAY_END }));
}

interface Difference {
  readonly day: number;
  readonly sent: DayDigest | undefined;
  readonly found: DayDigest | undefined;
}

function findDifference(sent: readonly DayDigest[], found: readonly DayDigest[]): Difference | undefined {
  const [sentBy, foundBy] = [sent, found].map((digests) => new Map(digests.map((one) => [one.day, one])));
  const days = [...new Set([...sent, ...found].map(({ day }) => day))];
  return days
    .map((day) => ({ day, sent: sentBy?.get(day), found: foundBy?.get(day) }))
    .find((one) => one.sent?.rows !== one.found?.rows || one.sent?.sum !== one.found?.sum);
}

function differs({ name, dayOf }: MovedTable, { day, sent, found }: Difference): OperatorMistake {
  const when = dayOf === null ? "" : ` of ${new Date(day * 86_400_000).toISOString().slice(0, 10)}`;
  return new OperatorMistake(
    `the rows${when} in the table ${name} aren't those that were sent (${found?.rows ?? 0} instead of ${sent?.rows ?? 0}); ` +
      "no server uses them: make sure that no node is running, and move again",
  );
}
