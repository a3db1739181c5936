import { newId } from "#kernel/ids.ts";
import { searchTextOf } from "#links/link-fields.ts";
import { newSlug } from "#links/slug.ts";
import { newLinkBody } from "./new-link.ts";

const COLUMNS =
  "id account_no key destination_url title tags utm state state_before_archive expires_at blocked_reason blocked_at " +
  "blocked_by click_count last_clicked_at created_via version created_at updated_at paused_at archived_at search_text";

/** The columns of a link in a plain table, which bare inserts fill. */
export const bareLinkColumns = COLUMNS.split(" ");

export function bareLinkRow(number: number): (string | number | null)[] {
  const { tags, ...body } = newLinkBody(number);
  const slug = newSlug();
  const text = searchTextOf(slug, { ...body, notes: null, external_id: null });
  const now = Date.now();
  const stated = [newId("lnk"), 1, slug, body.destination_url, body.title, JSON.stringify(tags), "{}", "active"];
  return [...stated, null, null, null, null, null, 0, 0, "api", 1, now, now, null, null, text];
}
