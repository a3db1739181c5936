import { DAY_MS, SLOT_MS, SLOTS_PER_DAY } from "../slots.ts";
import { ACCOUNT_LINK_NO } from "./schema.ts";
import { int, type Session } from "./session.ts";

// Keeps a clock once set to 1970 from making us check every day since.
const DAYS_MAX = 1000;

const dayRange = (day: number): string => `at_ms >= ${int(day * DAY_MS)} and at_ms < ${int((day + 1) * DAY_MS)}`;

/** The first day on which a click can't invalidate a summary. */
export const SUMMARISED_UNTIL = `(
  select coalesce(max(day) + 1, 0)::double
  from (select max(day) as day from summarised_days union all select max(day) from summarised)
)`;

/** Past days, oldest first, that weren't processed yet or whose summaries were deleted. */
export async function findDaysToSummarise(session: Session, beforeDay: number): Promise<readonly number[]> {
  const rows = await session.rows(`
    with first as (
      select coalesce((select min(day) from summarised_days), (select min(at_ms) // ${DAY_MS} from clicks)) as day
    )
    select day::double from (
      select unnest(range(greatest(day, ${int(beforeDay - DAYS_MAX)}), ${int(beforeDay)})) as day from first
      where day is not null
    ) where day not in (select day from summarised_days) order by day`);
  return rows.map(([day]) => Number(day));
}

/** Deletes the summaries of the accounts and days that a statement selects. Call in a transaction. */
export async function dropSummaries(session: Session, accountDays: string): Promise<void> {
  await session.run(`create or replace temp table stale as ${accountDays}`);
  await session.run("delete from summarised s using stale t where s.account_no = t.account_no and s.day = t.day");
  await session.run(
    `delete from summaries s using stale t where s.account_no = t.account_no and s.slot // ${SLOTS_PER_DAY} = t.day`,
  );
  await session.run("delete from summarised_days where day in (select day from stale)");
  await session.run("drop table stale");
}

/** Computes a day's missing summaries of busy accounts and links into temporary tables. */
export async function computeSummaries(session: Session, day: number, clicksMin: number): Promise<void> {
  const busy = (link: string) =>
    `select account_no, ${link} as link_no from clicks where ${dayRange(day)} group by all
    having count(*) >= ${int(clicksMin)}`;
  await session.run(`
    create or replace temp table next_summarised as
    select * from (${busy(`${ACCOUNT_LINK_NO}::uinteger`)} union all ${busy("link_no")}) busy
    where not exists (
      from summarised s where s.account_no = busy.account_no and s.link_no = busy.link_no and s.day = ${int(day)}
    )`);
  const scope = (link: string) =>
    `select n.account_no, n.link_no, at_ms // ${SLOT_MS} as slot, bot, qr,
      case when not bot then visitor end as visitor
    from clicks c join next_summarised n on n.account_no = c.account_no and n.link_no = ${link}
    where ${dayRange(day)}`;
  await session.run(`
    create or replace temp table next_summaries as
    with slots as (
      select account_no, link_no, slot, visitor, count(*) filter (not bot) as clicks,
        count(*) filter (not bot and qr) as qr_scans, count(*) filter (bot) as bot_hits
      from (${scope(String(ACCOUNT_LINK_NO))} union all ${scope("c.link_no")}) group by all
    ), visits as (
      select *, case when visitor is not null
        then lag(slot) over (partition by account_no, link_no, visitor order by slot) end as previous_slot
      from slots
    )
    select account_no, link_no, slot, previous_slot, count(visitor) as visitors, sum(clicks) as clicks,
      sum(qr_scans) as qr_scans, sum(bot_hits) as bot_hits
    from visits group by all`);
}

/** Stores the results of `computeSummaries`. Call in a transaction on the same session. */
export async function storeSummaries(session: Session, day: number): Promise<void> {
  await session.run("insert into summaries from next_summaries order by account_no, link_no, slot");
  await session.run(`insert into summarised select account_no, link_no, ${int(day)} from next_summarised`);
  await session.run(`insert into summarised_days values (${int(day)})`);
}

export async function dropComputedSummaries(session: Session): Promise<void> {
  await session.run("drop table if exists next_summaries");
  await session.run("drop table if exists next_summarised");
}
