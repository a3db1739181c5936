import type { UtcOffset } from "../../clicks-engine.ts";
import { DAY_MS, SLOT_MS, SLOTS_PER_DAY } from "../../slots.ts";
import { HOURS_PER_WEEK, localShift, SLOTS_PER_HOUR } from "../../week-hours.ts";
import { ACCOUNT_LINK_NO } from "../schema.ts";
import { int, intList } from "../session.ts";
import type { SeriesPlan } from "./series.ts";

/** One row for each hour of the week with clicks: counted by slot first, of which there are few. */
export function weekHoursSql(plan: SeriesPlan, offsets: readonly UtcOffset[]): string {
  const parts = [...rawParts(plan), ...summaryParts(plan), ...countParts(plan)];
  return `
    select ((slot + ${localShift(offsets)}) // ${SLOTS_PER_HOUR} % ${HOURS_PER_WEEK})::integer as hour, sum(clicks)::double
    from (${parts.join(" union all ")}) part (slot, clicks) group by hour`;
}

function rawParts({ conditions: { sql, counted }, rawRanges, summarisedDays }: SeriesPlan): string[] {
  // Coarse ranges may include days that are summed up.
  const others =
    summarisedDays.length > 0 ? `and at_ms // ${DAY_MS} not in (select unnest(${intList(summarisedDays)}))` : "";
  return rawRanges.map(
    ({ fromMs, toMs }) => `
      select at_ms // ${SLOT_MS} as slot, count(*) from clicks
      where at_ms >= ${int(fromMs)} and at_ms < ${int(toMs)} and ${sql} and ${counted} ${others} group by 1`,
  );
}

function summaryParts({ accountNo, linkNo, summarisedDays }: SeriesPlan): string[] {
  if (summarisedDays.length === 0) return [];
  return [
    `select slot, sum(clicks) from summaries
      where account_no = ${int(accountNo)} and link_no = ${int(linkNo ?? ACCOUNT_LINK_NO)}
        and slot // ${SLOTS_PER_DAY} in (select unnest(${intList(summarisedDays)})) group by 1`,
  ];
}

/** The hour of imported counts isn't always known. */
function countParts(plan: SeriesPlan): string[] {
  const { conditions, hasCompacted, hasImported, hasVisits, span } = plan;
  const { sql, counted, cut } = conditions;
  const tables = [
    ...(hasCompacted ? ["compacted_clicks where true"] : []),
    ...(hasImported ? [`imported_clicks where has_hour and ${cut()}`] : []),
    ...(hasVisits ? ["imported_visits where true"] : []),
  ];
  return tables.map(
    (table) => `
      select slot, sum(clicks) from ${table}
        and slot >= ${int(Math.ceil(span.fromMs / SLOT_MS))} and slot < ${int(Math.ceil(span.toMs / SLOT_MS))}
        and ${sql} and ${counted} group by 1`,
  );
}
