import { Slug } from "#contract/link-record.ts";
import type { Sql } from "#engines/records/schema.ts";
import { linkKey } from "#kernel/link-key.ts";
import { isKeyTaken } from "./links.store.ts";
import { isReservedSlug } from "./slug.ts";

/** Whether a slug is available right now; another request may still take it first. */
export async function checkSlug(
  sql: Sql,
  text: string,
  domainNo: number,
): Promise<{ readonly available: boolean; readonly problem: string | null }> {
  const parsed = Slug.safeParse(text);
  if (!parsed.success)
    return { available: false, problem: "Use letters, digits, - and _, with a letter or digit at both ends." };
  const slug = parsed.data.toLowerCase();
  if (isReservedSlug(slug)) return { available: false, problem: "This slug is reserved." };
  if (await isKeyTaken(sql, linkKey(domainNo, slug)))
    return { available: false, problem: "This slug is already taken." };
  return { available: true, problem: null };
}
