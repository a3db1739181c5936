import { clickTexts } from "../click-format.ts";
import { DAY_MS, SLOT_MS } from "../slots.ts";
import { STEP_MS_MAX } from "./claim.ts";
import { countErased } from "./erased.ts";
import { runOnAll } from "./layout.ts";
import { ACCOUNT_LINK_NO } from "./schema.ts";
import { type ClickHouseSession, int } from "./session.ts";
import { IS_NOT_ABORTED } from "./structure.ts";

const DAY = `intDiv(at_ms, ${DAY_MS})`;
/** They read a day of clicks, or rewrite counts. */
const step = { timeoutMs: STEP_MS_MAX };

interface Compaction {
  readonly session: ClickHouseSession;
  /** Asked before each step that must not be taken by two nodes at once, and after two steps at the latest. */
  readonly mayGoOn: () => Promise<boolean>;
}

/**
 * Replaces the clicks of days with counts, day by day, in steps that each leave all clicks counted once: the day's clicks
 * move to a table of their own, are counted, and their counts become valid by one row, which also makes the clicks
 * invalid. Late clicks of the day stay apart from that. After a crash it continues where it stopped. Call on one node at a
 * time.
 */
export async function compactDays(compaction: Compaction, beforeDay: number): Promise<void> {
  const { session, mayGoOn } = compaction;
  await dropCountedDays(compaction);
  const moved = await daysIn(session, "expiring_clicks", beforeDay);
  for (const day of moved) {
    if (!(await mayGoOn())) return;
    await countDay(compaction, day, await countIn(session, "expiring_clicks", day));
  }
  for (const day of await daysIn(session, "clicks", beforeDay)) {
    if (!(await mayGoOn())) return;
    const atLeast = (await countIn(session, "clicks", day)) + (await countIn(session, "expiring_clicks", day));
    if (!(await mayGoOn())) return;
    await runOnAll(session, `alter table clicks move partition ${int(day)} to table expiring_clicks`, STEP_MS_MAX);
    await countDay(compaction, day, atLeast);
  }
}

async function daysIn(session: ClickHouseSession, table: string, beforeDay: number): Promise<readonly number[]> {
  const rows = await session.rows(
    `select distinct ${DAY} as day from ${table} where at_ms < ${int(beforeDay * DAY_MS)} order by day`,
    step,
  );
  return rows.map(([day]) => Number(day));
}

/** A day's clicks that count, with the table they are in. */
function clicksOf(table: string, day: number): string {
  const ofDay = `${table} where ${DAY} = ${int(day)}`;
  return `${ofDay} and ${IS_NOT_ABORTED} and ${isNotErased(ofDay)}`;
}

/**
 * Erased clicks may still be there on a server that is behind. A deployment erases links for years, and the server holds
 * what follows `in` in memory: so only those of the day's links, which it holds anyway to count their clicks.
 */
const isNotErased = (ofDay: string): string =>
  `(account_no, link_no) not in (
    select account_no, link_no from erased_links
    where (account_no, link_no) in (select account_no, link_no from ${ofDay}))
  and account_no not in (
    select account_no from erased_accounts where account_no in (select account_no from ${ofDay}))`;

async function countIn(session: ClickHouseSession, table: string, day: number): Promise<number> {
  const [row] = await session.rows(`select count() from ${clicksOf(table, day)}`, step);
  return Number(row?.[0]);
}

/** A batch without an outcome after this time is that of a node that is gone for good. */
const ABANDONED = "interval 30 days";

/** Whether some of the day's clicks are of a batch that may still be disowned, and sent again. */
async function hasUnsettled(session: ClickHouseSession, day: number): Promise<boolean> {
  const [row] = await session.rows(
    `select count() from expiring_clicks where ${DAY} = ${int(day)} and (node, batch) in (
      select node, batch from batches group by node, batch
      having max(state) = 'begun' and max(at) > now64(3) - ${ABANDONED})`,
    step,
  );
  return Number(row?.[0]) > 0;
}

async function countDay(compaction: Compaction, day: number, atLeast: number): Promise<void> {
  const { session, mayGoOn } = compaction;
  if (await hasUnsettled(session, day)) return;
  const erasedBefore = await countErased(session);
  const run = Date.now() * RUNS_PER_MS + Math.floor(Math.random() * RUNS_PER_MS);
  const clicks = clicksOf("expiring_clicks", day);
  if (!(await mayGoOn())) return;
  await session.run(
    `insert into compacted_clicks (run, at_ms, account_no, link_no, bot, qr, ${clickTexts.join(", ")}, clicks)
    select ${int(run)}, intDiv(at_ms, ${SLOT_MS}) * ${SLOT_MS} as slot_ms, account_no, link_no, bot, qr,
      ${clickTexts.join(", ")}, count()
    from ${clicks} group by slot_ms, account_no, link_no, bot, qr, ${clickTexts.join(", ")}`,
    step,
  );
  for (const link of [`toUInt32(${ACCOUNT_LINK_NO})`, "link_no"]) {
    for (const withBots of [false, true]) {
      // Together the counts of a day may take longer than the right to compact lasts.
      if (!(await mayGoOn())) return;
      await session.run(
        `insert into compacted_visitors
        select ${int(run)}, ${int(day)}, account_no, ${link} as link, ${withBots}, count(), uniqExact(visitor)
        from ${clicks} ${withBots ? "" : "and not bot"} group by account_no, link`,
        step,
      );
    }
  }
  // Another server, which is behind, may have counted: the next run tries again.
  const counts = `select sum(clicks) from compacted_clicks where run = ${int(run)}`;
  const [counted] = await session.rows(counts, step);
  if (Number(counted?.[0]) < atLeast) return;
  // An erasure that found no counts to delete yet: they are dropped, and the next run counts without what was erased.
  if ((await countErased(session)) !== erasedBefore) return;
  if (!(await mayGoOn())) return;
  await session.run(`insert into compactions values (${int(run)}, ${int(day)}, 'counted')`);
  await dropCountedDays(compaction);
}

/** Removes the clicks whose counts are valid. */
async function dropCountedDays({ session, mayGoOn }: Compaction): Promise<void> {
  const rows = await session.rows(
    "select run, day from compactions group by run, day having max(state) = 'counted' order by day",
  );
  for (const [run, day] of rows) {
    if (!(await mayGoOn())) return;
    await runOnAll(session, `alter table expiring_clicks drop partition ${int(Number(day))}`, STEP_MS_MAX);
    await session.run(`insert into compactions values (${int(Number(run))}, ${int(Number(day))}, 'dropped')`);
  }
}

/** The number of a run begins with its time. */
const RUNS_PER_MS = 2048;
/** Longer than a run takes. */
const INTERRUPTED_MS = 6 * 3_600_000;
const STATEMENT_RUNS_MAX = 5000;

/** Deletes counts of runs that were interrupted. */
export async function dropInterruptedRuns({ session, mayGoOn }: Compaction): Promise<void> {
  const before = int((Date.now() - INTERRUPTED_MS) * RUNS_PER_MS);
  for (const table of ["compacted_clicks", "compacted_visitors"]) {
    // Not asked for by the deletion itself, which copied tables don't allow.
    const rows = await session.rows(
      `select distinct run from ${table} where run < ${before} and run not in (select run from compactions)
      limit ${STATEMENT_RUNS_MAX}`,
      step,
    );
    if (rows.length === 0 || !(await mayGoOn())) continue;
    const runs = rows.map(([run]) => int(Number(run))).join(", ");
    await session.run(`delete from ${table} where run in (${runs})`, step);
  }
}
