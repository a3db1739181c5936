import { formatExact } from "#console/ui/format.ts";
import type { LinkCount } from "#contract/links.ts";
import { linkTexts } from "#texts/links.ts";

const { count: texts } = linkTexts;

const figure = ({ count, at_least }: LinkCount): string => `${formatExact(count)}${at_least ? "+" : ""}`;

/** How many links a list has, and out of how many, as in "37 of 1,204". */
export function countText(shown: LinkCount, all: LinkCount | undefined): string {
  const hasAll = all === undefined || shown.at_least || all.count <= shown.count;
  if (!hasAll) return texts.of(figure(shown), figure(all));
  return shown.at_least ? texts.atLeast(figure(shown)) : texts.links(shown.count);
}
