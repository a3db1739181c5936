import { formatExact } from "#console/ui/format.ts";
import type { Import } from "#contract/console/imports.ts";
import { importTexts as texts } from "#texts/imports.ts";

/** What goes on, and how far it is. */
export function progressWords({ state, read, links, counts, erased_links }: Import) {
  if (state === "undoing") return { note: texts.undoGoesOn, status: texts.undoProgress(erased_links, links.created) };
  const status =
    state === "running"
      ? texts.runProgress(links.done, read.links, counts.clicks)
      : texts.readProgress(read.links, formatExact(read.counts));
  return { note: texts.goesOn, status };
}
