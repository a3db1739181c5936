import type { ClickScope, TimeRange } from "../../clicks-engine.ts";
import { SLOT_MS } from "../../slots.ts";
import { IMPORTED_THAT_COUNT, VISITS_THAT_COUNT } from "../imported.ts";
import { type ClickHouseSession, int } from "../session.ts";
import { COMPACTED_THAT_COUNT, clicksThatCount } from "../structure.ts";
import { scopeOf } from "./conditions.ts";
import { readSteadily } from "./report.ts";

/** One statement per side, so the server can skip the days within the range. */
export function findOutside(
  session: ClickHouseSession,
  scope: ClickScope,
  { fromMs, toMs }: TimeRange,
): Promise<TimeRange | null> {
  return readSteadily(session, async (structure) => {
    const clicks = (side: string): string =>
      `select min(at_ms) as first, max(at_ms) + 1 as after, count() as found
      from ${clicksThatCount(structure)} where ${scopeOf(scope)} and at_ms ${side}`;
    const tables = [
      `compacted_clicks where ${COMPACTED_THAT_COUNT}`,
      `imported_clicks where ${IMPORTED_THAT_COUNT}`,
      `imported_visits where ${VISITS_THAT_COUNT}`,
    ];
    const counts = (side: string): string[] =>
      tables.map(
        (table) => `select min(at_ms) as first, max(at_ms) + ${SLOT_MS} as after, count() as found
          from ${table} and ${scopeOf(scope)} and at_ms ${side}`,
      );
    const from = Math.max(0, fromMs);
    const to = Math.max(0, toMs);
    const sides = [
      clicks(`< ${int(from)}`),
      clicks(`>= ${int(to)}`),
      ...counts(`< ${int(from)}`),
      ...counts(`>= ${int(Math.floor(to / SLOT_MS) * SLOT_MS)}`),
    ];
    const [row] = await session.rows(
      `select min(first), max(after), count() from (${sides.join(" union all ")}) where found > 0`,
    );
    const [first, after, found] = (row ?? []).map(Number);
    return found && first !== undefined && after !== undefined ? { fromMs: first, toMs: after } : null;
  });
}
