import { Slug } from "#contract/link-record.ts";
import type { Sql } from "#engines/records/schema.ts";
import { isReservedSlug } from "./slug.ts";

/** Whether a slug could be had now; who comes first gets it all the same. */
export async function checkSlug(
  sql: Sql,
  text: string,
): Promise<{ readonly available: boolean; readonly problem: string | null }> {
  const parsed = Slug.safeParse(text);
  if (!parsed.success)
    return { available: false, problem: "Use letters, digits, - and _, with a letter or digit first." };
  const slug = parsed.data.toLowerCase();
  if (isReservedSlug(slug)) return { available: false, problem: "This is reserved for the service itself." };
  const link = await sql.selectFrom("links").select("no").where("slug", "=", slug).executeTakeFirst();
  const tombstone = await sql.selectFrom("tombstones").select("slug").where("slug", "=", slug).executeTakeFirst();
  if (link || tombstone) return { available: false, problem: "This is in use or was used before." };
  return { available: true, problem: null };
}
