import { type ClickText, clickTexts } from "../../click-format.ts";
import type { ClickListRequest, ListedClick } from "../../clicks-engine.ts";
import { readNewestFirst } from "../../newest-first.ts";
import { type ClickHouseSession, int, type Row } from "../session.ts";
import { clicksThatCount } from "../structure.ts";
import { clickConditions, inRange } from "./conditions.ts";
import { readSteadily } from "./report.ts";

const COLUMNS = ["at_ms", "link_no", "bot", "qr", ...clickTexts].join(", ");

/** Without the visitor, whom a list must not tell apart: clicks that look the same are interchangeable. */
const HASH = `sipHash64(${COLUMNS})`;

export function readClickList(
  session: ClickHouseSession,
  request: ClickListRequest,
  timeoutMs: number,
): Promise<readonly ListedClick[]> {
  const { sql, counted, values } = clickConditions(request);
  return readNewestFirst(request, async ({ after, limit, ...range }) => {
    const rest = after ? `and (at_ms < ${int(after.atMs)} or tie <= ${int(after.tie)})` : "";
    const rows = await readSteadily(session, (structure) =>
      session.rows(
        `select at_ms, link_no, bot, qr, bitShiftRight(${HASH}, 32) as tie, ${clickTexts.join(", ")}
        from ${clicksThatCount(structure)}
        where ${inRange(range)} and ${sql} and ${counted} ${rest}
        order by at_ms desc, tie desc, ${HASH} desc limit ${int(limit)} offset ${int(after?.skip ?? 0)}`,
        { values, timeoutMs },
      ),
    );
    return rows.map(toListedClick);
  });
}

function toListedClick([atMs, linkNo, bot, qr, tie, ...values]: Row): ListedClick {
  return {
    at_ms: Number(atMs),
    link_no: Number(linkNo),
    bot: Boolean(bot),
    source: qr ? "qr" : "link",
    tie: Number(tie),
    ...(Object.fromEntries(clickTexts.map((name, at) => [name, String(values[at] ?? "")])) as Record<
      ClickText,
      string
    >),
  };
}
