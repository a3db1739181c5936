import { countText } from "./count-text.ts";
import type { LinkFilter } from "./link-list-search.ts";
import { useLinkCount } from "./use-link-count.ts";

/** How many links there are, above the list. */
export function LinkCountText({ filter }: { readonly filter: LinkFilter }) {
  const { shown, all } = useLinkCount(filter);
  return (
    <p role="status" aria-label="Number of links" className="text-sm text-soft">
      {shown && countText(shown, all)}
    </p>
  );
}
