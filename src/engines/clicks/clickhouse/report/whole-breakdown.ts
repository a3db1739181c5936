import type { BreakdownItem, BreakdownRequest } from "../../clicks-engine.ts";
import type { ClickHouseSession } from "../session.ts";
import { clicksThatCount } from "../structure.ts";
import { breakdownsSql, toBreakdownItem } from "./breakdown.ts";
import { clickConditions } from "./conditions.ts";
import { REPORT_SETTINGS, readSteadily } from "./report.ts";

/** How long a client may take to read all items. */
const READING_MS_MAX = 600_000;

/** All items, as the server sends them. */
export async function* readWholeBreakdown(
  session: ClickHouseSession,
  request: BreakdownRequest,
): AsyncGenerator<readonly BreakdownItem[]> {
  const { accountNo, groupBy, breakdownVisitors, fromMs, toMs } = request;
  const conditions = clickConditions(request);
  const rows = await readSteadily(session, (structure) => {
    const plan = {
      ...{ accountNo, conditions, range: { fromMs, toMs }, limit: null, withVisitors: breakdownVisitors },
      ...{ clicks: clicksThatCount(structure), hasImported: structure.hasImported },
    };
    return session.stream(`select * from (${breakdownsSql(plan, [{ dimension: groupBy, no: 0 }])}) order by n5`, {
      values: conditions.values,
      settings: REPORT_SETTINGS,
      timeoutMs: READING_MS_MAX,
    });
  });
  for await (const some of rows) yield some.map((row) => toBreakdownItem(row, groupBy, breakdownVisitors));
}
