import type { Answers } from "./answers.ts";
import type { ShortLinkHandler } from "./short-link-handler.ts";
import { newVisitCounts } from "./visit-counts.ts";

/** What the servers of a redirect process need to know about short links. */
export type ShortLinks = Pick<
  ShortLinkHandler,
  "open" | "openBelow" | "findActive" | "redirect" | "isFresh" | "refresh" | "counts"
>;

/**
 * On a node without the role `redirect`. Such a node has no journal, so a click would be lost with it; and 404 would say
 * that the link doesn't exist.
 */
export function noShortLinks(answers: Pick<Answers, "notServedHere">): ShortLinks {
  const counts = newVisitCounts();
  const refuse: ShortLinks["open"] = (_, request) => {
    counts.ends.refused += 1;
    return answers.notServedHere(request);
  };
  return {
    counts,
    isFresh: true,
    refresh: async () => {},
    findActive: () => undefined,
    redirect() {
      throw new Error("this node has no links");
    },
    open: refuse,
    openBelow: refuse,
  };
}
