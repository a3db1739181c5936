import type { FoundLink, RedirectReader } from "#engines/records/redirect-reader.ts";
import type { LinkReader } from "#redirect/link-cache.ts";

/** A reader as a redirect process sees it: hosts have a look-up of their own. */
export const linksOf = (reader: Pick<RedirectReader, "find">): LinkReader => ({
  find: async (key) => (await reader.find(key)) as FoundLink,
});
