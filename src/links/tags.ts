import { sql as raw } from "kysely";
import type { Sql } from "#engines/records/schema.ts";
import { foldCase } from "./link-fields.ts";

const TAGS_MAX = 100;

/** The tags in use that contain a text, most used first; in lower case, as links are looked up by them. */
export const listTags = (sql: Sql, accountNo: number, text = "") =>
  sql
    .selectFrom("link_tags")
    .select((eb) => ["tag", eb.fn.countAll<number>().as("links")])
    .where("account_no", "=", accountNo)
    .$if(text !== "", (query) => query.where(raw<boolean>`tag like ${patternOf(text)} escape '\\'`))
    .groupBy("tag")
    .orderBy("links", "desc")
    .orderBy("tag")
    .limit(TAGS_MAX)
    .execute();

/** `%`, `_` and `\` stand for themselves. */
const patternOf = (text: string): string => `%${foldCase(text).replace(/[\\%_]/g, "\\$&")}%`;
