import type { LinkPatch } from "#contract/link-record.ts";
import type { SampleLink } from "#sample-data/sample-links.ts";

type Body = SampleLink["body"];

/** What someone did to a link. */
export interface Change {
  readonly atMs: number;
  /** New values, or the version whose values it got back. */
  readonly to: LinkPatch | number;
}

/** Popular links, among them new ones: those that visitors of the demo open first. */
const CHANGED_RANKS: ReadonlySet<number> = new Set([1, 2, 3, 5, 8, 11]);

export const isChanged = (rank: number): boolean => CHANGED_RANKS.has(rank);

/** How a link began that looks like the given one today. */
export const draftOf = (body: Body): Body => ({
  ...body,
  title: `Draft: ${body.title}`,
  destination_url: body.destination_url.replace(/\/(?=[^/]+$)/, "/drafts/"),
  tags: body.tags?.slice(0, 1) ?? [],
});

/** The one before the mistake. */
const GOOD_VERSION = 3;

/** What made of a draft what it is today, with a mistake in between that someone took back. */
export function changesOf({ body, createdMs }: SampleLink, toMs: number): Change[] {
  const { title, destination_url, tags } = body;
  const at = (share: number): number => Math.floor(createdMs + (toMs - createdMs) * share);
  return [
    { atMs: at(0.02), to: { title, destination_url } },
    { atMs: at(0.3), to: { tags, notes: "Printed on the flyers: keep this link." } },
    { atMs: at(0.7), to: { title: `${title} (last days!)`, destination_url: `${destination_url}/last-days` } },
    { atMs: at(0.9), to: GOOD_VERSION },
  ];
}
