import { clickTexts } from "../click-format.ts";
import { DAY_MS } from "../slots.ts";
import { STEP_MS_MAX } from "./claim.ts";
import { countErased } from "./erased.ts";
import { IMPORTED_THAT_COUNT, interruptedBefore, newBatchNumber, VISITS_THAT_COUNT } from "./imported.ts";
import { ACCOUNT_LINK_NO } from "./schema.ts";
import { type ClickHouseSession, int } from "./session.ts";

const DAY = `intDiv(at_ms, ${DAY_MS})`;
const step = { timeoutMs: STEP_MS_MAX };

interface Compaction {
  readonly session: ClickHouseSession;
  /** Asked before each step that must not be taken by two nodes at once. */
  readonly mayGoOn: () => Promise<boolean>;
}

/**
 * Reduces imported visits to counts without visitors, day by day. One row in `imported_compactions` makes the counts
 * valid, and the visits of the batches it names invalid; those of later batches aren't touched. Call on one node at a
 * time.
 */
export async function compactImportedDays({ session, mayGoOn }: Compaction, beforeDay: number): Promise<void> {
  const days = await session.rows(
    `select ${DAY} as day, groupUniqArray(batch) from imported_visits
    where at_ms < ${int(beforeDay * DAY_MS)} and ${VISITS_THAT_COUNT} group by day order by day`,
    step,
  );
  for (const [day, batches] of days) {
    if (!(await mayGoOn())) return;
    await countImportedDay(session, Number(day), Array.isArray(batches) ? batches.map(Number) : []);
  }
  await dropCompactedVisits({ session, mayGoOn });
  await dropInterrupted({ session, mayGoOn });
}

async function countImportedDay(session: ClickHouseSession, day: number, batches: readonly number[]): Promise<void> {
  const erasedBefore = await countErased(session);
  const run = newBatchNumber();
  const visits = `imported_visits where ${DAY} = ${int(day)} and batch in (${batches.map(int).join(", ")})`;
  const texts = clickTexts.join(", ");
  await session.run(
    `insert into imported_clicks (batch, at_ms, account_no, link_no, bot, qr, ${texts}, clicks, has_hour)
    select ${int(run)}, at_ms, account_no, link_no, bot, qr, ${texts}, sum(clicks) as total, true from ${visits}
    group by at_ms, account_no, link_no, bot, qr, ${texts}`,
    step,
  );
  for (const link of [`toUInt32(${ACCOUNT_LINK_NO})`, "link_no"]) {
    for (const withBots of [false, true]) {
      await session.run(
        `insert into imported_visitors (batch, day, account_no, link_no, with_bots, clicks, visitors)
        select ${int(run)}, ${int(day)}, account_no, ${link} as link, ${withBots}, sum(clicks) as total, uniqExact(visitor)
        from ${visits} ${withBots ? "" : "and not bot"} group by account_no, link`,
        step,
      );
    }
  }
  // An erasure that found no counts to delete yet: they never count, and the next run counts without what was erased.
  if ((await countErased(session)) !== erasedBefore) return;
  await session.insertRows("imported_compactions (run, day, batches)", [[run, day, batches]]);
}

async function dropCompactedVisits({ session, mayGoOn }: Compaction): Promise<void> {
  const rows = await session.rows(
    `select distinct ${DAY} as of_day, batch from imported_visits
    where (${DAY}, batch) in (select day, arrayJoin(batches) from imported_compactions) limit 1000`,
    step,
  );
  for (const [day, batch] of rows) {
    if (!(await mayGoOn())) return;
    await session.run(
      `delete from imported_visits where ${DAY} = ${int(Number(day))} and batch = ${int(Number(batch))}`,
      step,
    );
  }
}

/** Deletes rows of batches and compactions that were interrupted. */
async function dropInterrupted({ session, mayGoOn }: Compaction): Promise<void> {
  const left = [
    ["imported_clicks", IMPORTED_THAT_COUNT],
    ["imported_visitors", IMPORTED_THAT_COUNT],
    ["imported_visits", VISITS_THAT_COUNT],
  ];
  for (const [table, counts] of left) {
    const rows = await session.rows(
      `select distinct batch from ${table} where batch < ${interruptedBefore()} and not (${counts}) limit 1000`,
      step,
    );
    if (rows.length === 0 || !(await mayGoOn())) continue;
    const batches = rows.map(([batch]) => int(Number(batch))).join(", ");
    // A batch may be valid on some of its days.
    if (table !== "imported_visits") await session.run(`delete from ${table} where batch in (${batches})`, step);
    else await deleteInvalidVisits(session, batches);
  }
}

async function deleteInvalidVisits(session: ClickHouseSession, batches: string): Promise<void> {
  const never = await session.rows(
    `select distinct batch from imported_visits where batch in (${batches})
    and batch not in (select min(batch) from imported_batches group by account_no, import, no)`,
    step,
  );
  if (never.length === 0) return;
  const list = never.map(([batch]) => int(Number(batch))).join(", ");
  await session.run(`delete from imported_visits where batch in (${list})`, step);
}
