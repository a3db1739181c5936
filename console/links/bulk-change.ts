import type { Workspace } from "#console/api/session.tsx";
import { actOnLinks, type ChangedLink, LINKS_CHANGED_MAX, tagLinks } from "#contract/console/links.ts";
import type { Link, TagChange } from "#contract/link-record.ts";
import { listLinks } from "#contract/links.ts";
import { errorTexts, type ServerError } from "#texts/errors.ts";
import { bulkTexts as texts } from "#texts/link-bulk.ts";
import { type LinkMove, oppositeMoves } from "./link-changes.ts";
import { type LinkFilter, toLinkQuery } from "./link-list-search.ts";
import { patiently } from "./patiently.ts";

/** What is done to every selected link. */
export type BulkChange = { readonly action: LinkMove | "erase" } | { readonly tags: TagChange };

export interface Failure<T> {
  readonly item: T;
  readonly error: Error;
}

export interface BulkResult {
  /** As they were and as they are. */
  readonly changed: readonly { readonly before: Link; readonly after: Link }[];
  readonly erased: readonly Link[];
  readonly failures: readonly Failure<Link>[];
}

type Call = Workspace["call"];

const PAGE = 100;

/** Every link that a filter matches, in an order in which none is skipped while others change. */
export async function findAllLinks(call: Call, filter: LinkFilter, onFound: (count: number) => void): Promise<Link[]> {
  const query = { ...toLinkQuery(filter), sort: "created_at", limit: PAGE } as const;
  const found = new Map<string, Link>();
  for (let cursor: string | null | undefined; cursor !== null; ) {
    const at = cursor;
    const page = await patiently(() =>
      call(listLinks, { query: { ...query, ...(at !== undefined && { cursor: at }) } }),
    );
    for (const link of page.data) found.set(link.id, link);
    onFound(found.size);
    cursor = page.next_cursor;
  }
  return [...found.values()];
}

/** Changes links, many with each request; what fails is told in the end and stops nothing. */
export async function changeAll(
  call: Call,
  links: readonly Link[],
  change: BulkChange,
  onProgress: (done: number, result: readonly Link[]) => void,
): Promise<BulkResult> {
  const changed: BulkResult["changed"][number][] = [];
  const erased: Link[] = [];
  const failures: Failure<Link>[] = [];
  for (let from = 0; from < links.length; from += LINKS_CHANGED_MAX) {
    const batch = links.slice(from, from + LINKS_CHANGED_MAX);
    const results = await send(call, batch, change);
    for (const before of batch) {
      const { link = null, problem = texts.unanswered } = results.get(before.id) ?? {};
      if (problem !== null) failures.push({ item: before, error: new Error(problem) });
      else if (link) changed.push({ before, after: link });
      else erased.push(before);
    }
    onProgress(
      Math.min(from + batch.length, links.length),
      [...results.values()].flatMap(({ link }) => link ?? []),
    );
  }
  return { changed, erased, failures };
}

interface Outcome {
  readonly link: Link | null;
  /** In words for people. */
  readonly problem: string | null;
}

async function send(call: Call, links: readonly Link[], change: BulkChange): Promise<ReadonlyMap<string, Outcome>> {
  const ids = links.map(({ id }) => id);
  try {
    const { data } = await patiently(() =>
      "action" in change
        ? call(actOnLinks, { body: { ids, action: change.action } })
        : call(tagLinks, { body: { ids, ...change.tags } }),
    );
    return new Map(data.map(({ id, link, problem }) => [id, { link, problem: problem && textOf(problem) }]));
  } catch (error) {
    const problem = error instanceof Error ? error.message : String(error);
    return new Map(ids.map((id) => [id, { link: null, problem }]));
  }
}

/** Which field it was doesn't matter to someone who chose from a menu. */
function textOf(problem: NonNullable<ChangedLink["problem"]>): string {
  const error = problem as ServerError;
  const [field] = error.details?.errors ?? [];
  return field ? errorTexts.field(field) : errorTexts.message(error);
}

export interface Reversal {
  readonly links: readonly Link[];
  readonly change: BulkChange;
}

/** What takes a change back, for those that it changed alone; a tag that a link had before stays. */
export function reverse(change: BulkChange, { changed }: Pick<BulkResult, "changed">): readonly Reversal[] {
  const different = changed.filter(({ before, after }) => before.version !== after.version);
  if ("action" in change) {
    const links = different.map(({ after }) => after);
    return change.action === "erase" || links.length === 0
      ? []
      : [{ links, change: { action: oppositeMoves[change.action] } }];
  }
  // Only what this change did: others may have tagged the same links meanwhile.
  const { add = [], remove = [] } = change.tags;
  const groups = Map.groupBy(different, ({ before, after }) =>
    JSON.stringify({
      add: without(before.tags, after.tags).filter((tag) => isOneOf(tag, remove)),
      remove: without(after.tags, before.tags).filter((tag) => isOneOf(tag, add)),
    }),
  );
  return [...groups].map(([tags, pairs]) => ({
    links: pairs.map(({ after }) => after),
    change: { tags: JSON.parse(tags) as TagChange },
  }));
}

const without = (tags: readonly string[], others: readonly string[]): string[] =>
  tags.filter((tag) => !others.includes(tag));

const isOneOf = (tag: string, tags: readonly string[]): boolean =>
  tags.some((other) => other.normalize("NFC").toLowerCase() === tag.normalize("NFC").toLowerCase());
