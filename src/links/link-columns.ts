import { type LinkFields, searchTextOf } from "./link-fields.ts";
import type { LinkRow } from "./link-record.ts";

/** The fields as the columns that store them. */
export const columnsOf = (fields: LinkFields, slug: string) => ({
  ...fields,
  tags: JSON.stringify(fields.tags),
  utm: JSON.stringify(fields.utm),
  settings: Object.keys(fields.settings).length === 0 ? null : JSON.stringify(fields.settings),
  metadata: Object.keys(fields.metadata).length === 0 ? null : JSON.stringify(fields.metadata),
  search_text: searchTextOf(slug, fields),
});

export const fieldsOf = (row: LinkRow): LinkFields => ({
  destination_url: row.destination_url,
  title: row.title,
  tags: JSON.parse(row.tags) as string[],
  utm: JSON.parse(row.utm) as LinkFields["utm"],
  expires_at: row.expires_at,
  settings: JSON.parse(row.settings ?? "{}") as LinkFields["settings"],
  notes: row.notes,
  external_id: row.external_id,
  metadata: JSON.parse(row.metadata ?? "{}") as LinkFields["metadata"],
});
