import { clickTexts } from "./click-format.ts";
import { countErased } from "./clickhouse-erased.ts";
import { ACCOUNT_LINK_NO } from "./clickhouse-schema.ts";
import { type ClickHouseSession, int, REWRITE_TIMEOUT_MS } from "./clickhouse-session.ts";
import { readStructure } from "./clickhouse-structure.ts";
import { DAY_MS, SLOT_MS } from "./slots.ts";

const DAY = `intDiv(at_ms, ${DAY_MS})`;
const DAY_TIMEOUT_MS = 600_000;

/**
 * Replaces the clicks of days with counts, day by day, in steps that each leave all clicks counted once: the day's clicks
 * move to a table of their own, are counted, and their counts become valid by one row, which also makes the clicks
 * invalid. Late clicks of the day stay apart from that. After a crash it continues where it stopped. Call on one node at a
 * time.
 */
export async function compactDays(session: ClickHouseSession, beforeDay: number): Promise<void> {
  await dropCountedDays(session);
  const moved = await daysIn(session, "expiring_clicks", beforeDay);
  for (const day of moved) await countDay(session, day);
  for (const day of await daysIn(session, "clicks", beforeDay)) {
    await session.run(`alter table clicks move partition ${int(day)} to table expiring_clicks`, {
      timeoutMs: DAY_TIMEOUT_MS,
    });
    await countDay(session, day);
  }
}

async function daysIn(session: ClickHouseSession, table: string, beforeDay: number): Promise<readonly number[]> {
  const rows = await session.rows(
    `select distinct ${DAY} as day from ${table} where at_ms < ${int(beforeDay * DAY_MS)} order by day`,
  );
  return rows.map(([day]) => Number(day));
}

/** A batch without an outcome after this time is that of a node that is gone for good. */
const ABANDONED = "interval 30 days";

/** Whether some of the day's clicks are of a batch that may still be disowned, and sent again. */
async function hasUnsettled(session: ClickHouseSession, day: number): Promise<boolean> {
  const [row] = await session.rows(`
    select count() from expiring_clicks where ${DAY} = ${int(day)} and batch in (
      select batch from batches group by batch having max(state) = 'begun' and max(at) > now64(3) - ${ABANDONED})`);
  return Number(row?.[0]) > 0;
}

async function countDay(session: ClickHouseSession, day: number): Promise<void> {
  if (await hasUnsettled(session, day)) return;
  const erasedBefore = await countErased(session);
  const run = Date.now() * 2048 + Math.floor(Math.random() * 2048);
  const { abortedBatches } = await readStructure(session);
  const clicks = [
    `expiring_clicks where ${DAY} = ${int(day)}`,
    ...(abortedBatches.length === 0 ? [] : [`batch not in (${abortedBatches.map(int).join(", ")})`]),
  ].join(" and ");
  const options = { timeoutMs: DAY_TIMEOUT_MS };
  await session.run(
    `insert into compacted_clicks
    select ${int(run)}, intDiv(at_ms, ${SLOT_MS}) * ${SLOT_MS} as slot_ms, account_no, link_no, bot, qr,
      ${clickTexts.join(", ")}, count()
    from ${clicks} group by slot_ms, account_no, link_no, bot, qr, ${clickTexts.join(", ")}`,
    options,
  );
  for (const link of [`toUInt32(${ACCOUNT_LINK_NO})`, "link_no"]) {
    for (const withBots of [false, true]) {
      await session.run(
        `insert into compacted_visitors
        select ${int(run)}, ${int(day)}, account_no, ${link} as link, ${withBots}, count(), uniqExact(visitor)
        from ${clicks} ${withBots ? "" : "and not bot"} group by account_no, link`,
        options,
      );
    }
  }
  // An erasure that found no counts to delete yet: they are dropped, and the next run counts without what was erased.
  if ((await countErased(session)) !== erasedBefore) return;
  await session.run(`insert into compactions values (${int(run)}, ${int(day)}, 'counted')`);
  await dropCountedDays(session);
}

/** Removes the clicks whose counts are valid. */
async function dropCountedDays(session: ClickHouseSession): Promise<void> {
  const rows = await session.rows(
    "select run, day from compactions group by run, day having max(state) = 'counted' order by day",
  );
  for (const [run, day] of rows) {
    await session.run(`alter table expiring_clicks drop partition ${int(Number(day))}`, { timeoutMs: DAY_TIMEOUT_MS });
    await session.run(`insert into compactions values (${int(Number(run))}, ${int(Number(day))}, 'dropped')`);
  }
}

/** Deletes counts of runs that were interrupted. Call while no run is under way. */
export async function dropInterruptedRuns(session: ClickHouseSession): Promise<void> {
  for (const table of ["compacted_clicks", "compacted_visitors"]) {
    const [row] = await session.rows(`select count() from ${table} where run not in (select run from compactions)`);
    if (Number(row?.[0]) === 0) continue;
    await session.run(`delete from ${table} where run not in (select run from compactions)`, {
      timeoutMs: REWRITE_TIMEOUT_MS,
    });
  }
}
