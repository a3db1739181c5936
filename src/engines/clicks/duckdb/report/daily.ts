import type { DailyClicks, DailyRequest } from "../../clicks-engine.ts";
import { DAY_MS, SLOTS_PER_DAY } from "../../slots.ts";
import { int, type Session } from "../session.ts";

/** One pass over the days, however many links. */
export async function readDailyClicks(
  session: Session,
  { accountNo, linkNumbers, fromDay, toDay }: DailyRequest,
): Promise<readonly DailyClicks[]> {
  if (linkNumbers.length === 0) return [];
  const scope = `account_no = ${int(accountNo)} and link_no in (${linkNumbers.map(int).join(", ")}) and not bot`;
  const rows = await session.rows(`
    select link_no::double, day::double, sum(clicks)::double from (
      select link_no, at_ms // ${DAY_MS} as day, count(*) as clicks from clicks
      where ${scope} and at_ms >= ${int(fromDay * DAY_MS)} and at_ms < ${int(toDay * DAY_MS)} group by all
      union all
      select link_no, slot // ${SLOTS_PER_DAY} as day, sum(clicks) as clicks from compacted_clicks
      where ${scope} and slot >= ${int(fromDay * SLOTS_PER_DAY)} and slot < ${int(toDay * SLOTS_PER_DAY)} group by all
    ) group by all`);
  return rows.map(([linkNo, day, clicks]) => ({ linkNo: Number(linkNo), day: Number(day), clicks: Number(clicks) }));
}
