/** First parts of the keys of what shows tags. */
export const TAG_QUERIES: readonly string[] = ["all-tags", "tags", "tag-colors", "links", "link"];
