import type { AccountDimension } from "#contract/analytics.ts";
import { chosenCutSql } from "../../click-counts.ts";
import { textGroups } from "../../click-format.ts";
import type { ReportFilters, ReportRequest } from "../../clicks-engine.ts";
import { int } from "../session.ts";

/** Which clicks a report covers, regardless of time; works on clicks and all counts. */
export interface Conditions {
  readonly sql: string;
  /** The values of `$1`, `$2` … in the SQL. */
  readonly values: readonly string[];
  /** Whether only a subset of the link's or account's clicks is selected. */
  readonly isFiltered: boolean;
  /** Which of them count as clicks; the others are bots, counted only in `bot_hits`. */
  readonly counted: "not bot" | "true";
  /** Which rows of `imported_clicks` to use, in a breakdown or beside one. */
  readonly cut: (groupBy?: AccountDimension) => string;
}

type Scope = Pick<ReportRequest, "accountNo" | "linkNo" | "filters" | "includeBots">;

export function clickConditions({ accountNo, linkNo, filters, includeBots }: Scope): Conditions {
  const values: string[] = [];
  const bind = (value: string): string => `$${values.push(value)}`;
  const chosen: string[] = [];
  for (const { name, table, texts } of textGroups) {
    const wanted = texts.flatMap(({ name }) => {
      const values = filters[name];
      return values ? [anyOf(name, values, bind)] : [];
    });
    if (wanted.length > 0) chosen.push(`${name}_no in (select no from ${table} where ${wanted.join(" and ")})`);
  }
  if (filters.source) chosen.push(sourceCondition(filters.source));
  if (filters.link) chosen.push(anyOfNumbers("link_no", filters.link));
  if (filters.tag) chosen.push(tagCondition(accountNo, filters, bind));
  const scope = [`account_no = ${int(accountNo)}`, ...(linkNo === null ? [] : [`link_no = ${int(linkNo)}`])];
  return {
    sql: [...scope, ...chosen].join(" and "),
    values,
    isFiltered: chosen.length > 0,
    counted: includeBots ? "true" : "not bot",
    cut: (groupBy) => chosenCutSql({ filters, groupBy }, (a, b) => `(${a} & ${b})`),
  };
}

/** The current tags of an account's links, one row each. */
export const tagsOf = (accountNo: number): string =>
  `(select link_no, unnest(arg_max(tags, position)) as tag from link_tags
    where account_no = ${int(accountNo)} group by link_no)`;

type Bind = (value: string) => string;

function anyOf(column: string, wanted: readonly (string | null)[], bind: Bind): string {
  const texts = wanted.filter((value) => value !== null);
  const alternatives = [
    ...(texts.length > 0 ? [`${column} in (${texts.map(bind).join(", ")})`] : []),
    ...(wanted.includes(null) ? [`${column} is null`] : []),
  ];
  return alternatives.length > 0 ? `(${alternatives.join(" or ")})` : "false";
}

const sourceCondition = (wanted: readonly (string | null)[]): string => {
  const flags = [...(wanted.includes("qr") ? ["qr"] : []), ...(wanted.includes("link") ? ["not qr"] : [])];
  return flags.length > 0 ? `(${flags.join(" or ")})` : "false";
};

const anyOfNumbers = (column: string, wanted: readonly number[]): string =>
  wanted.length > 0 ? `${column} in (${wanted.map(int).join(", ")})` : "false";

function tagCondition(accountNo: number, { tag: wanted = [], allTags }: ReportFilters, bind: Bind): string {
  const tagged = (condition: string) => `(select link_no from ${tagsOf(accountNo)} where ${condition})`;
  const texts = wanted.filter((value) => value !== null);
  if (allTags) {
    const each = texts.map((text) => `link_no in ${tagged(`tag = ${bind(text)}`)}`);
    return [...each, ...(wanted.includes(null) ? [`link_no not in ${tagged("true")}`] : [])].join(" and ");
  }
  const alternatives = [
    ...(texts.length > 0 ? [`link_no in ${tagged(`tag in (${texts.map(bind).join(", ")})`)}`] : []),
    ...(wanted.includes(null) ? [`link_no not in ${tagged("true")}`] : []),
  ];
  return alternatives.length > 0 ? `(${alternatives.join(" or ")})` : "false";
}
