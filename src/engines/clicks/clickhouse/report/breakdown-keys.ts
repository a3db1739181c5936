import type { AccountDimension } from "#contract/analytics.ts";
import { int } from "../session.ts";
import { SOURCE, tagsOf } from "./conditions.ts";

/** A breakdown of a report, and the number that its rows have as their kind. */
export interface NumberedBreakdown {
  readonly no: number;
  readonly dimension: AccountDimension;
}

const isOfClick = ({ dimension }: NumberedBreakdown): boolean => dimension !== "link" && dimension !== "tag";

/**
 * Which breakdowns one pass over the clicks makes together: those by what a click has itself. Planning a pass takes the
 * server longer than reading thousands of clicks. The tags of a link are in another table, and so are its visitors.
 */
export function passesOf(breakdowns: readonly NumberedBreakdown[]): (readonly NumberedBreakdown[])[] {
  const together = breakdowns.filter(isOfClick);
  const alone = breakdowns.filter((breakdown) => !isOfClick(breakdown)).map((breakdown) => [breakdown]);
  return together.length > 0 ? [together, ...alone] : alone;
}

/** How rows are grouped, for all breakdowns of a pass. */
export interface Keys {
  /** Selects what a row is grouped by. */
  readonly columns: string;
  /** Follows the table that rows are read from. */
  readonly join: string;
  /** Groups by the columns of each breakdown, and of days with `at_day`. */
  readonly groups: (day?: "at_day") => string;
  /** Of a group: the breakdown that it is of. */
  readonly no: string;
  /** Of a group. */
  readonly key: string;
}

export function keysOf(accountNo: number, pass: readonly NumberedBreakdown[]): Keys {
  const names = pass.map((_, index) => `key${index}`);
  const numbers = pass.map(({ no }, index) => `grouping(key${index}) = 0, ${int(no)}`);
  return {
    columns: pass.map(({ dimension }, index) => `${keyOf(dimension)} as key${index}`).join(", "),
    join: pass.some(({ dimension }) => dimension === "tag")
      ? `left join ${tagsOf(accountNo)} as current_tags using (link_no)`
      : "",
    groups: (day) => `grouping sets (${names.map((name) => (day ? `(${name}, ${day})` : `(${name})`)).join(", ")})`,
    no: `multiIf(${numbers.join(", ")}, 0)`,
    // The keys of the other breakdowns are empty.
    key: names.length === 1 ? "key0" : `concat(${names.join(", ")})`,
  };
}

function keyOf(dimension: AccountDimension): string {
  if (dimension === "link") return "link_no";
  if (dimension === "source") return SOURCE;
  // A link without tags has the key of a missing value.
  return dimension === "tag" ? "arrayJoin(if(empty(names), [''], names))" : dimension;
}
