import type { ClickCount, CountChunk, DayVisitors, ExportRequest } from "../click-counts.ts";
import { type ClickText, clickTexts } from "../click-format.ts";
import { DAY_MS, SLOT_MS } from "../slots.ts";
import { IMPORTED_THAT_COUNT, VISITS_THAT_COUNT } from "./imported.ts";
import { readSteadily } from "./report/report.ts";
import { type ClickHouseSession, int, type Row } from "./session.ts";
import { COMPACTED_THAT_COUNT, clicksThatCount, type Structure } from "./structure.ts";

const TEXTS = clickTexts.join(", ");
const EXPORT_TIMEOUT_MS = 600_000;

/** The days on which an account has anything, in order. */
export async function findCountedDays(session: ClickHouseSession, accountNo: number): Promise<readonly number[]> {
  const rows = await readSteadily(session, (structure) => {
    const tables = [
      `${clicksThatCount(structure)} where true`,
      `compacted_clicks where ${COMPACTED_THAT_COUNT}`,
      `imported_clicks where ${IMPORTED_THAT_COUNT}`,
      `imported_visits where ${VISITS_THAT_COUNT}`,
    ].map(
      (table) => `select distinct intDiv(at_ms, ${DAY_MS}) as at_day from ${table} and account_no = ${int(accountNo)}`,
    );
    return session.rows(`select distinct at_day from (${tables.join(" union all ")}) order by at_day`);
  });
  return rows.map(([day]) => Number(day));
}

/** The kinds of rows of a day. */
const COUNT = "c";
const VISIT = "v";
const VISITORS = "d";

function dayCountsSql({ accountNo, salt }: ExportRequest, day: number, structure: Structure): string {
  const ofDay = `account_no = ${int(accountNo)} and at_ms >= ${int(day * DAY_MS)} and at_ms < ${int((day + 1) * DAY_MS)}`;
  // Nobody who knows a stored visitor can find it in an export: the salt isn't kept.
  const visitorOf = (origin: string): string =>
    `if(isNull(visitor), '', lower(substring(hex(MD5(concat('${origin}', toString(assumeNotNull(visitor)), ':${int(day)}:${salt}'))), 17, 16)))`;
  const columns = `link_no, bot, qr, ${TEXTS}`;
  const whole = "true as hour, toUInt32(0) as k, toUInt32(0) as e, toUInt32(0) as a";
  const visitorsIn = (table: string, counts: string): string =>
    `select link_no, with_bots, clicks, visitors from ${table}
    where account_no = ${int(accountNo)} and day = ${int(day)} and ${counts}`;
  return `
    select '${VISIT}' as kind, intDiv(at_ms, ${SLOT_MS}) * ${SLOT_MS} as slot_ms, ${columns}, ${visitorOf("own")} as name,
      count() as total, ${whole}
    from ${clicksThatCount(structure)} where ${ofDay} group by slot_ms, ${columns}, visitor
    union all
    select '${VISIT}' as kind, at_ms as slot_ms, ${columns}, ${visitorOf("imported")} as name, sum(clicks) as total, ${whole}
    from imported_visits where ${ofDay} and ${VISITS_THAT_COUNT} group by slot_ms, ${columns}, visitor
    union all
    select '${COUNT}' as kind, at_ms as slot_ms, ${columns}, '' as name, clicks as total, ${whole}
    from compacted_clicks where ${ofDay} and ${COMPACTED_THAT_COUNT}
    union all
    select '${COUNT}' as kind, at_ms as slot_ms, ${columns}, '' as name, clicks as total, has_hour as hour, known as k,
      earlier as e, all_known as a
    from imported_clicks where ${ofDay} and ${IMPORTED_THAT_COUNT}
    union all
    select '${VISITORS}' as kind, toUInt64(${int(day)}) as slot_ms, link_no, with_bots as bot, false as qr,
      ${clickTexts.map((name) => `'' as ${name}`).join(", ")}, toString(sum(visitors)) as name, sum(clicks) as total,
      false as hour, toUInt32(0) as k, toUInt32(0) as e, toUInt32(0) as a
    from (
      ${visitorsIn("compacted_visitors", COMPACTED_THAT_COUNT)}
      union all ${visitorsIn("imported_visitors", IMPORTED_THAT_COUNT)}
    ) group by link_no, with_bots`;
}

/** A day at a time, which is read again if what counts has changed before its first rows arrived. */
export async function* readDayCounts(
  session: ClickHouseSession,
  request: ExportRequest,
  day: number,
): AsyncGenerator<CountChunk> {
  const rows = await readSteadily(session, async (structure) =>
    session.stream(dayCountsSql(request, day, structure), {
      settings: { enable_shared_storage_snapshot_in_query: 1 },
      timeoutMs: EXPORT_TIMEOUT_MS,
    }),
  );
  for await (const some of rows) yield toCountChunk(some);
}

function toCountChunk(rows: readonly Row[]): CountChunk {
  const counts: ClickCount[] = [];
  const visitors: DayVisitors[] = [];
  for (const row of rows) {
    if (row[0] === VISITORS) visitors.push(toDayVisitors(row));
    else counts.push(toClickCount(row));
  }
  return { counts, visitors };
}

const FIRST_TEXT = 5;
const AFTER_TEXTS = FIRST_TEXT + clickTexts.length;

const toDayVisitors = (row: Row): DayVisitors => ({
  linkNo: Number(row[2]),
  day: Number(row[1]),
  withBots: Boolean(row[3]),
  clicks: Number(row[AFTER_TEXTS + 1]),
  visitors: Number(row[AFTER_TEXTS]),
});

function toClickCount(row: Row): ClickCount {
  const [kind, slotMs, linkNo, bot, qr] = row;
  const [visitor, clicks, hasHour, known, earlier, all] = row.slice(AFTER_TEXTS);
  const texts = clickTexts.map((name, index) => [name, String(row[FIRST_TEXT + index])]);
  return {
    link_no: Number(linkNo),
    at_ms: Number(slotMs),
    has_hour: Boolean(hasHour),
    bot: Boolean(bot),
    source: qr ? "qr" : "link",
    clicks: Number(clicks),
    cut: { known: Number(known), earlier: Number(earlier), all: Number(all) },
    ...(kind === VISIT && { visitor: visitor === "" ? null : String(visitor) }),
    ...(Object.fromEntries(texts) as Record<ClickText, string>),
  };
}
