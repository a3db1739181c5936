import type { ClickScope, TimeRange } from "../../clicks-engine.ts";
import { IMPORTED_THAT_COUNT, VISITS_THAT_COUNT } from "../imported.ts";
import { type ClickHouseSession, int } from "../session.ts";
import { COMPACTED_THAT_COUNT, clicksThatCount } from "../structure.ts";
import { scopeOf } from "./conditions.ts";
import { readSteadily } from "./report.ts";

/**
 * One statement per side, so the server can skip the days within the range. Counts are at the start of their slot, as in
 * reports.
 */
export function findOutside(
  session: ClickHouseSession,
  scope: ClickScope,
  { fromMs, toMs }: TimeRange,
): Promise<TimeRange | null> {
  return readSteadily(session, async (structure) => {
    const tables = [
      `${clicksThatCount(structure)} where true`,
      `compacted_clicks where ${COMPACTED_THAT_COUNT}`,
      `imported_clicks where ${IMPORTED_THAT_COUNT}`,
      `imported_visits where ${VISITS_THAT_COUNT}`,
    ];
    const sides = [`< ${int(Math.max(0, fromMs))}`, `>= ${int(Math.max(0, toMs))}`].flatMap((side) =>
      tables.map(
        (table) => `select min(at_ms) as first, max(at_ms) + 1 as after, count() as found
          from ${table} and ${scopeOf(scope)} and at_ms ${side}`,
      ),
    );
    const [row] = await session.rows(
      `select min(first), max(after), count() from (${sides.join(" union all ")}) where found > 0`,
    );
    const [first, after, found] = (row ?? []).map(Number);
    return found && first !== undefined && after !== undefined ? { fromMs: first, toMs: after } : null;
  });
}
