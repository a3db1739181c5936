import type { TimeRange, UtcOffset } from "../../clicks-engine.ts";
import { SLOT_MS } from "../../slots.ts";
import { HOURS_PER_WEEK, localShift, SLOTS_PER_HOUR, toWeekHours } from "../../week-hours.ts";
import { IMPORTED_THAT_COUNT, VISITS_THAT_COUNT } from "../imported.ts";
import type { Row } from "../session.ts";
import { COMPACTED_THAT_COUNT } from "../structure.ts";
import { type Conditions, inRange } from "./conditions.ts";
import { reportRow } from "./series.ts";

interface WeekHoursPlan {
  readonly conditions: Conditions;
  /** The clicks that count, as a table expression. */
  readonly clicks: string;
  /** Whether there are counts of others. */
  readonly hasImported: boolean;
  readonly range: TimeRange;
  readonly offsets: readonly UtcOffset[];
}

/** One row for each hour of the week with clicks: counted by slot first, of which there are few. */
export function weekHoursSql({ conditions, clicks, hasImported, range, offsets }: WeekHoursPlan): string {
  const { sql, counted, cut } = conditions;
  // Their hour isn't always known.
  const imported = [
    `imported_clicks where has_hour and ${cut()} and ${IMPORTED_THAT_COUNT}`,
    `imported_visits where ${VISITS_THAT_COUNT}`,
  ];
  const where = `${inRange(range)} and ${sql} and ${counted}`;
  return `
    select ${reportRow({ start: "hour", n1: "sum(slot_clicks)" })}
    from (
      select intDiv(slot + ${localShift(offsets)}, ${SLOTS_PER_HOUR}) % ${HOURS_PER_WEEK} as hour, slot_clicks
      from (
        select toInt64(intDiv(at_ms, ${SLOT_MS})) as slot, count() as slot_clicks
        from ${clicks} where ${where} group by slot
        union all
        select toInt64(intDiv(at_ms, ${SLOT_MS})) as slot, sum(clicks) as slot_clicks
        from compacted_clicks where ${where} and ${COMPACTED_THAT_COUNT} group by slot
        ${(hasImported ? imported : [])
          .map(
            (table) => `union all
            select toInt64(intDiv(at_ms, ${SLOT_MS})) as slot, sum(clicks) as slot_clicks from ${table} and ${where} group by slot`,
          )
          .join(" ")}
      )
    ) group by hour`;
}

export const readWeekHours = (rows: readonly Row[]): number[] =>
  toWeekHours(rows.map((row): [number, number] => [Number(row[1]), Number(row[4])]));
