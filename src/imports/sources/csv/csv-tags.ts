const SEPARATOR = /\s*[,;|]\s*/;

/** What the tags of our own exports are joined by: names may have the other separators in them. */
const OWN_SEPARATOR = " | ";
/** Columns that no other service has together. */
const OWN_COLUMNS = ["short_url", "destination_url", "click_count", "created_via", "last_clicked_at"];

export type SplitTags = (text: string) => string[];

/** By the names of the columns. */
export function tagSplitter(head: readonly string[]): SplitTags {
  const separator = OWN_COLUMNS.every((name) => head.includes(name)) ? OWN_SEPARATOR : SEPARATOR;
  return (text) => text.split(separator).filter((tag) => tag !== "");
}
