import type { AccountDimension } from "#contract/analytics.ts";
import { chosenCutSql } from "../../click-counts.ts";
import { clickTexts } from "../../click-format.ts";
import type { ReportRequest, TimeRange } from "../../clicks-engine.ts";
import { int } from "../session.ts";

/** Which clicks a report covers, regardless of time; works on clicks and all counts. */
export interface Conditions {
  readonly sql: string;
  /** The values of `{name:Type}` in the SQL. */
  readonly values: Readonly<Record<string, readonly string[]>>;
  /** Whether only a subset of the link's or account's clicks is selected. */
  readonly isFiltered: boolean;
  /** Which of them count as clicks; the others are bots, counted only in `bot_hits`. */
  readonly counted: "not bot" | "true";
  /** Which rows of `imported_clicks` to use, in a breakdown or beside one. */
  readonly cut: (groupBy?: AccountDimension) => string;
}

export const SOURCE = "if(qr, 'qr', 'link')";

type Scope = Pick<ReportRequest, "accountNo" | "linkNo" | "filters" | "includeBots">;

export function clickConditions({ accountNo, linkNo, filters, includeBots }: Scope): Conditions {
  const values: Record<string, readonly string[]> = {};
  const chosen: string[] = [];
  for (const column of ["source", ...clickTexts] as const) {
    const wanted = filters[column];
    if (wanted) chosen.push(anyOf(wanted, column === "source" ? SOURCE : column, { name: column, values }));
  }
  if (filters.link) chosen.push(filters.link.length > 0 ? `link_no in (${filters.link.map(int).join(", ")})` : "false");
  if (filters.tag) {
    const names = `(select link_no, arrayJoin(names) as name from ${tagsOf(accountNo)})`;
    const named = `link_no in (select link_no from ${names} where ${anyOf(filters.tag, "name", { name: "tag", values })}`;
    const isNone = filters.tag.includes(null) ? `link_no not in (select link_no from ${names})` : "false";
    if (!filters.allTags) chosen.push(`(${named}) or ${isNone})`);
    else if (filters.tag.includes(null)) chosen.push(filters.tag.length > 1 ? "false" : isNone);
    else chosen.push(`${named} group by link_no having uniqExact(name) = ${new Set(filters.tag).size})`);
  }
  return {
    sql: [scopeOf({ accountNo, linkNo }), ...chosen].join(" and "),
    values,
    isFiltered: chosen.length > 0,
    counted: includeBots ? "true" : "not bot",
    cut: (groupBy) => chosenCutSql({ filters, groupBy }, (a, b) => `bitAnd(${a}, ${b})`),
  };
}

interface Binding {
  readonly name: string;
  /** Gets the bound texts. */
  readonly values: Record<string, readonly string[]>;
}

/** In the tables an empty text stands for a missing one, so nothing matches it as a text. */
function anyOf(wanted: readonly (string | null)[], column: string, { name, values }: Binding): string {
  const texts = wanted.filter((value) => value !== null).filter((value) => value !== "");
  if (texts.length > 0) values[name] = texts;
  const alternatives = [
    ...(texts.length > 0 ? [`${column} in {${name}:Array(String)}`] : []),
    ...(wanted.includes(null) ? [`${column} = ''`] : []),
  ];
  return alternatives.length > 0 ? `(${alternatives.join(" or ")})` : "false";
}

export const scopeOf = ({ accountNo, linkNo }: Pick<Scope, "accountNo" | "linkNo">): string =>
  `account_no = ${int(accountNo)}${linkNo === null ? "" : ` and link_no = ${int(linkNo)}`}`;

export const inRange = ({ fromMs, toMs }: TimeRange): string =>
  `at_ms >= ${int(Math.max(0, fromMs))} and at_ms < ${int(Math.max(0, toMs))}`;

export const CURRENT_TAGS = "generation = (select max(generation) from tag_generations)";

/** The current tags of an account's links, one row per link. */
export const tagsOf = (accountNo: number): string =>
  `(select link_no, argMax(tags, position) as names from link_tags
    where ${CURRENT_TAGS} and account_no = ${int(accountNo)} group by link_no)`;
