import type { AccountDimension } from "#contract/analytics.ts";
import { int } from "../session.ts";
import { SOURCE, tagsOf } from "./conditions.ts";

/** A breakdown of a report, with the number that its rows carry. */
export interface NumberedBreakdown {
  readonly no: number;
  readonly dimension: AccountDimension;
}

const isOfClick = ({ dimension }: NumberedBreakdown): boolean => dimension !== "link" && dimension !== "tag";

/**
 * Which breakdowns one pass over the clicks makes together: those by a text of the click itself. Planning a pass takes the
 * server longer than reading thousands of clicks. Links have numbers instead of texts, and their tags are in another table.
 */
export function passesOf(breakdowns: readonly NumberedBreakdown[]): (readonly NumberedBreakdown[])[] {
  const together = breakdowns.filter(isOfClick);
  const alone = breakdowns.filter((breakdown) => !isOfClick(breakdown)).map((breakdown) => [breakdown]);
  return together.length > 0 ? [together, ...alone] : alone;
}

/** How the rows of a pass are grouped: once for each of its breakdowns. */
export interface Grouping {
  /** What to select of each row. */
  readonly columns: string;
  /** Follows the table that rows are read from. */
  readonly join: string;
  /** What to group by: the key of each breakdown, and also the UTC day with `at_day`. */
  readonly groups: (day?: "at_day") => string;
  /** The number of a group's breakdown. */
  readonly no: string;
  /** A group's key, whichever breakdown it belongs to. */
  readonly key: string;
}

export function groupingOf(accountNo: number, pass: readonly NumberedBreakdown[]): Grouping {
  const names = pass.map(({ no }) => `key${int(no)}`);
  const sets = (day?: string): string => names.map((name) => (day ? `(${name}, ${day})` : `(${name})`)).join(", ");
  const numbers = pass.map(({ no }) => `grouping(key${int(no)}) = 0, ${int(no)}`);
  return {
    columns: pass.map(({ dimension, no }) => `${keyOf(dimension)} as key${int(no)}`).join(", "),
    join: pass.some(({ dimension }) => dimension === "tag")
      ? `left join ${tagsOf(accountNo)} as current_tags using (link_no)`
      : "",
    groups: (day) => `grouping sets (${sets(day)})`,
    no: `multiIf(${numbers.join(", ")}, -1)`,
    // The keys of the other breakdowns are empty.
    key: names.length === 1 ? names.join("") : `concat(${names.join(", ")})`,
  };
}

function keyOf(dimension: AccountDimension): string {
  if (dimension === "link") return "link_no";
  if (dimension === "source") return SOURCE;
  // A link without tags has the key of a missing value.
  return dimension === "tag" ? "arrayJoin(if(empty(names), [''], names))" : dimension;
}
