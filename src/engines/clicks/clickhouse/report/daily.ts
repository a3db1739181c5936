import type { DailyClicks, DailyRequest } from "../../clicks-engine.ts";
import { DAY_MS } from "../../slots.ts";
import { IMPORTED_THAT_COUNT, VISITS_THAT_COUNT } from "../imported.ts";
import { type ClickHouseSession, int } from "../session.ts";
import { COMPACTED_THAT_COUNT, clicksThatCount } from "../structure.ts";
import { inRange, scopeOf } from "./conditions.ts";
import { readSteadily } from "./report.ts";

const imported = [
  `imported_clicks where earlier = 0 and ${IMPORTED_THAT_COUNT}`,
  `imported_visits where ${VISITS_THAT_COUNT}`,
];

export async function readDailyClicks(
  session: ClickHouseSession,
  { accountNo, linkNumbers, fromDay, toDay }: DailyRequest,
): Promise<readonly DailyClicks[]> {
  if (linkNumbers.length === 0) return [];
  const range = inRange({ fromMs: fromDay * DAY_MS, toMs: toDay * DAY_MS });
  const links = `link_no in (${linkNumbers.map(int).join(", ")})`;
  const where = `${scopeOf({ accountNo, linkNo: null })} and ${links} and ${range} and not bot`;
  const day = `intDiv(at_ms, ${DAY_MS})`;
  const rows = await readSteadily(session, (structure) =>
    session.rows(`
      select link_no, at_day, sum(part) from (
        select link_no, ${day} as at_day, count() as part from ${clicksThatCount(structure)}
        where ${where} group by link_no, at_day
        union all
        select link_no, ${day} as at_day, sum(clicks) as part from compacted_clicks
        where ${where} and ${COMPACTED_THAT_COUNT} group by link_no, at_day
        ${(structure.hasImported ? imported : [])
          .map(
            (table) => `union all
            select link_no, ${day} as at_day, sum(clicks) as part from ${table} and ${where} group by link_no, at_day`,
          )
          .join(" ")}
      ) group by link_no, at_day`),
  );
  return rows.map(([linkNo, at, clicks]) => ({ linkNo: Number(linkNo), day: Number(at), clicks: Number(clicks) }));
}
