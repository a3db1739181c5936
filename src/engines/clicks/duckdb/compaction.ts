import { textGroups } from "../click-format.ts";
import { DAY_MS, SLOT_MS, SLOTS_PER_DAY } from "../slots.ts";
import { ACCOUNT_LINK_NO } from "./schema.ts";
import { int, type Session } from "./session.ts";

const SHAPES = textGroups.map(({ name }) => `${name}_no`).join(", ");

/** Replaces one day's clicks with counts. Call in a transaction. */
export async function compactDay(session: Session, day: number): Promise<void> {
  const ofDay = `at_ms >= ${int(day * DAY_MS)} and at_ms < ${int((day + 1) * DAY_MS)}`;
  await session.run(`
    insert into compacted_clicks
    select at_ms // ${SLOT_MS} as slot, account_no, link_no, bot, qr, ${SHAPES}, count(*)
    from clicks where ${ofDay} group by all order by account_no, link_no, slot`);
  for (const link of [`${ACCOUNT_LINK_NO}::uinteger`, "link_no"]) {
    for (const withBots of [false, true]) {
      await session.run(`
        insert into compacted_visitors
        select ${int(day)}, account_no, ${link} as link, ${withBots}, count(*), count(distinct visitor)
        from clicks where ${ofDay} ${withBots ? "" : "and not bot"} group by account_no, link`);
    }
  }
  await session.run(`delete from clicks where ${ofDay}`);
  await session.run(`delete from summarised where day = ${int(day)}`);
  const firstSlot = day * SLOTS_PER_DAY;
  await session.run(
    `delete from summaries where slot >= ${int(firstSlot)} and slot < ${int(firstSlot + SLOTS_PER_DAY)}`,
  );
}

/** Reduces one day's imported clicks to counts without visitors. Call in a transaction. */
export async function compactImportedDay(session: Session, day: number): Promise<void> {
  const firstSlot = day * SLOTS_PER_DAY;
  const ofDay = `slot >= ${int(firstSlot)} and slot < ${int(firstSlot + SLOTS_PER_DAY)}`;
  await session.run(`
    insert into imported_clicks
    select slot, account_no, link_no, bot, qr, ${SHAPES}, sum(clicks), true, 0, 0, 0
    from imported_visits where ${ofDay} group by all order by account_no, link_no, slot`);
  for (const link of [`${ACCOUNT_LINK_NO}::uinteger`, "link_no"]) {
    for (const withBots of [false, true]) {
      await session.run(`
        insert into imported_visitors
        select ${int(day)}, account_no, ${link} as link, ${withBots}, sum(clicks), count(distinct visitor)
        from imported_visits where ${ofDay} ${withBots ? "" : "and not bot"} group by account_no, link`);
    }
  }
  await session.run(`delete from imported_visits where ${ofDay}`);
}
