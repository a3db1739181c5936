import type { DailyClicks, DailyRequest } from "../../clicks-engine.ts";
import { DAY_MS, SLOTS_PER_DAY } from "../../slots.ts";
import { int, type Session } from "../session.ts";

const countTables = ["compacted_clicks where true", "imported_clicks where earlier = 0", "imported_visits where true"];

/** One pass over the days, however many links. */
export async function readDailyClicks(
  session: Session,
  { accountNo, linkNumbers, fromDay, toDay }: DailyRequest,
): Promise<readonly DailyClicks[]> {
  if (linkNumbers.length === 0) return [];
  const scope = `account_no = ${int(accountNo)} and link_no in (${linkNumbers.map(int).join(", ")}) and not bot`;
  const inDays = `slot >= ${int(fromDay * SLOTS_PER_DAY)} and slot < ${int(toDay * SLOTS_PER_DAY)}`;
  const counts = (table: string): string => `
      union all
      select link_no, slot // ${SLOTS_PER_DAY} as day, sum(clicks) as clicks from ${table}
        and ${scope} and ${inDays} group by all`;
  const rows = await session.rows(`
    select link_no::double, day::double, sum(clicks)::double from (
      select link_no, at_ms // ${DAY_MS} as day, count(*) as clicks from clicks
      where ${scope} and at_ms >= ${int(fromDay * DAY_MS)} and at_ms < ${int(toDay * DAY_MS)} group by all
      ${countTables.map(counts).join("")}
    ) group by all`);
  return rows.map(([linkNo, day, clicks]) => ({ linkNo: Number(linkNo), day: Number(day), clicks: Number(clicks) }));
}
