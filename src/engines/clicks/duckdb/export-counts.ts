import type { ClickCount, CountChunk, DayVisitors, ExportRequest } from "../click-counts.ts";
import { type ClickText, clickTexts, textGroups } from "../click-format.ts";
import { DAY_MS, SLOT_MS, SLOTS_PER_DAY } from "../slots.ts";
import { int, type Session } from "./session.ts";

const SHAPES = textGroups.map(({ name }) => `${name}_no`).join(", ");
const texts = textGroups.flatMap((group) => group.texts.map(({ name }) => `${group.name}_texts.${name}`));
const joins = textGroups.map(
  ({ name, table }) => `left join ${table} ${name}_texts on ${name}_texts.no = c.${name}_no`,
);

const DAY = `slot // ${SLOTS_PER_DAY}`;
const RAW_DAY = `at_ms // ${DAY_MS}`;

/** The days on which an account has anything, in order. */
export async function findCountedDays(session: Session, accountNo: number): Promise<readonly number[]> {
  const days = [
    ["clicks", RAW_DAY],
    ["compacted_clicks", DAY],
    ["imported_clicks", DAY],
    ["imported_visits", DAY],
  ].map(([table, day]) => `select distinct ${day} as day from ${table} where account_no = ${int(accountNo)}`);
  const rows = await session.rows(`select distinct day::double as day from (${days.join(" union ")}) order by day`);
  return rows.map(([day]) => Number(day));
}

/** The kinds of rows in `dayCountsSql`. */
const COUNT = "c";
const VISIT = "v";
const VISITORS = "d";

/** Everything of a day: clicks and imported visits by visitor, counts, and the visitors of days that are stored as counts. */
export function dayCountsSql({ accountNo, salt }: ExportRequest, day: number): string {
  const ofDay = `account_no = ${int(accountNo)} and ${DAY} = ${int(day)}`;
  const raw = `account_no = ${int(accountNo)} and at_ms >= ${int(day * DAY_MS)} and at_ms < ${int((day + 1) * DAY_MS)}`;
  const whole = "true as has_hour, 0 as known, 0 as earlier, 0 as all_known";
  const counts = [
    `select '${VISIT}' as kind, 'own' as origin, at_ms // ${SLOT_MS} as slot, link_no, bot, qr, ${SHAPES}, visitor, count(*) as clicks, ${whole}
    from clicks where ${raw} group by all`,
    `select '${VISIT}', 'imported', slot, link_no, bot, qr, ${SHAPES}, visitor, sum(clicks) as clicks, ${whole}
    from imported_visits where ${ofDay} group by all`,
    `select '${COUNT}', '', slot, link_no, bot, qr, ${SHAPES}, null, clicks, ${whole} from compacted_clicks where ${ofDay}`,
    `select '${COUNT}', '', slot, link_no, bot, qr, ${SHAPES}, null, clicks, has_hour, known, earlier, all_known
    from imported_clicks where ${ofDay}`,
  ];
  // Nobody who knows a stored visitor can find it in an export: the salt isn't kept.
  const visitor = `lpad(lower(to_hex(md5_number_lower(c.origin || c.visitor || ':${salt}'))), 16, '0')`;
  const visitorsIn = (table: string): string =>
    `select link_no, with_bots, clicks, visitors from ${table} where account_no = ${int(accountNo)} and day = ${int(day)}`;
  return `
    select kind, slot, link_no, bot, qr, case when c.visitor is not null then ${visitor} end, clicks, has_hour,
      known, earlier, all_known, ${texts.join(", ")}
    from (${counts.join(" union all ")}) c ${joins.join(" ")}
    union all
    select '${VISITORS}', ${int(day)}, link_no, with_bots, false, sum(visitors)::varchar, sum(clicks), false, 0, 0, 0,
      ${texts.map(() => "null").join(", ")}
    from (${visitorsIn("compacted_visitors")} union all ${visitorsIn("imported_visitors")}) group by link_no, with_bots`;
}

export function toCountChunk(rows: readonly (readonly string[])[]): CountChunk {
  const counts: ClickCount[] = [];
  const visitors: DayVisitors[] = [];
  for (const row of rows) {
    if (row[0] === VISITORS) visitors.push(toDayVisitors(row));
    else counts.push(toClickCount(row));
  }
  return { counts, visitors };
}

const toDayVisitors = ([, day, linkNo, withBots, , visitors, clicks]: readonly string[]): DayVisitors => ({
  linkNo: Number(linkNo),
  day: Number(day),
  withBots: withBots === "true",
  clicks: Number(clicks),
  visitors: Number(visitors),
});

function toClickCount(row: readonly string[]): ClickCount {
  const [kind, slot, linkNo, bot, qr, visitor = "", clicks, hasHour, known, earlier, all, ...values] = row;
  return {
    link_no: Number(linkNo),
    at_ms: Number(slot) * SLOT_MS,
    has_hour: hasHour === "true",
    bot: bot === "true",
    source: qr === "true" ? "qr" : "link",
    clicks: Number(clicks),
    cut: { known: Number(known), earlier: Number(earlier), all: Number(all) },
    ...(kind === VISIT && { visitor: visitor === "" ? null : visitor }),
    ...(Object.fromEntries(clickTexts.map((name, index) => [name, values[index] ?? ""])) as Record<ClickText, string>),
  };
}
