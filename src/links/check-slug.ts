import { Slug } from "#contract/link-record.ts";
import type { Sql } from "#engines/records/schema.ts";
import type { Caller } from "#kernel/caller.ts";
import { linkKey } from "#kernel/link-key.ts";
import { isKeyTaken } from "./links.store.ts";
import { isReservedSlug } from "./slug.ts";

/** Why no link can have it, whatever links there are. */
export function slugProblem(text: string): string | null {
  if (!Slug.safeParse(text).success) return "Use letters, digits, - and _, with a letter or digit at both ends.";
  return isReservedSlug(text) ? "This slug is reserved." : null;
}

/** Whether a slug is available right now; another request may still take it first. */
export async function checkSlug(
  sql: Sql,
  { accountNo }: Pick<Caller, "accountNo">,
  text: string,
  domainNo: number,
): Promise<{ readonly available: boolean; readonly problem: string | null }> {
  const problem = slugProblem(text);
  if (problem !== null) return { available: false, problem };
  if (await isKeyTaken(sql, accountNo, linkKey(domainNo, text.toLowerCase())))
    return { available: false, problem: "This slug is already taken." };
  return { available: true, problem: null };
}
