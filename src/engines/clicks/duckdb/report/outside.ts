import type { ClickScope, TimeRange } from "../../clicks-engine.ts";
import { SLOT_MS } from "../../slots.ts";
import { int, type Session } from "../session.ts";

/**
 * One statement per side, so DuckDB can skip the blocks within the range. Counts are at the start of their slot, as in
 * reports.
 */
export async function findOutside(
  session: Session,
  { accountNo, linkNo }: ClickScope,
  { fromMs, toMs }: TimeRange,
): Promise<TimeRange | null> {
  const scope = `account_no = ${int(accountNo)}${linkNo === null ? "" : ` and link_no = ${int(linkNo)}`}`;
  const clicks = (side: string): string =>
    `select min(at_ms)::double as first, max(at_ms)::double + 1 as after from clicks where ${scope} and at_ms ${side}`;
  const counts = (side: string): string[] =>
    ["compacted_clicks", "imported_clicks", "imported_visits"].map(
      (table) => `select min(slot)::double * ${SLOT_MS}, max(slot)::double * ${SLOT_MS} + 1
        from ${table} where ${scope} and slot ${side}`,
    );
  const sides = [
    clicks(`< ${int(fromMs)}`),
    clicks(`>= ${int(toMs)}`),
    ...counts(`< ${int(Math.ceil(fromMs / SLOT_MS))}`),
    ...counts(`>= ${int(Math.ceil(toMs / SLOT_MS))}`),
  ];
  const [row] = await session.rows(`select min(first), max(after) from (${sides.join(" union all ")})`);
  const [first, after] = row ?? [];
  return typeof first === "number" && typeof after === "number" ? { fromMs: first, toMs: after } : null;
}
