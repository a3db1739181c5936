import { DAY_MS } from "../slots.ts";
import { type ClickHouseSession, int } from "./session.ts";

/** Which rows count, apart from those that new batches add. Reports made while it changes are made again. */
export interface Structure {
  /** Whether there are batches whose rows don't count. */
  readonly hasAborted: boolean;
  /** Whether days are being reduced to counts. */
  readonly isExpiring: boolean;
  /** Days in `expiring_clicks` whose counts are already valid. */
  readonly countedDays: readonly number[];
  /** Whether there are counts of others. */
  readonly hasImported: boolean;
  /** Equal for equal structures. */
  readonly version: string;
}

/** Numbers of batches are their node's own, so other nodes may use the same. */
const ABORTED_BATCHES = `(
  select node, batch from batches where state in ('aborted', 'removed') group by node, batch having max(state) = 'aborted')`;

/** Asked for within the statement, since there may be too many to write into it. */
export const IS_NOT_ABORTED = `(node, batch) not in ${ABORTED_BATCHES}`;

const DAY = `intDiv(at_ms, ${DAY_MS})`;

export async function readStructure(session: ClickHouseSession): Promise<Structure> {
  const [row] = await session.rows(`
    select
      (select count() from ${ABORTED_BATCHES}) as aborted,
      (select groupBitXor(cityHash64(node, batch)) from ${ABORTED_BATCHES}) as which_aborted,
      (select groupArray(tuple(day, clicks)) from (
        select ${DAY} as day, count() as clicks from expiring_clicks group by day order by day
      )) as expiring,
      (select groupArray(day) from (
        select day from compactions group by run, day having max(state) = 'counted' order by day
      )) as counted,
      (select count() from compactions) as compactions,
      (select count() from clicks where ${DAY} in (select ${DAY} from expiring_clicks)) as left_behind,
      (select count() from imported_compactions) as imported_compactions,
      (select count() > 0 from imported_batches) as has_imported`);
  const [expiring, counted] = (row ?? []).slice(2).map((cell) => (Array.isArray(cell) ? cell : []));
  return {
    hasAborted: Number(row?.[0]) > 0,
    isExpiring: (expiring ?? []).length > 0,
    countedDays: (counted ?? []).map(Number),
    hasImported: Boolean(row?.[7]),
    version: JSON.stringify(row),
  };
}

/** The clicks that count, as a table expression. */
export function clicksThatCount({ hasAborted, isExpiring, countedDays }: Structure): string {
  const isValid = hasAborted ? IS_NOT_ABORTED : "";
  const isUncounted = countedDays.length === 0 ? "" : `${DAY} not in (${countedDays.map(int).join(", ")})`;
  if (!isExpiring) return isValid ? `(select * from clicks where ${isValid})` : "clicks";
  const where = (...conditions: readonly string[]): string => {
    const given = conditions.filter((condition) => condition !== "");
    return given.length === 0 ? "" : `where ${given.join(" and ")}`;
  };
  return `(select * from clicks ${where(isValid)} union all
    select * from expiring_clicks ${where(isValid, isUncounted)})`;
}

export const COMPACTED_THAT_COUNT = "run in (select run from compactions)";
