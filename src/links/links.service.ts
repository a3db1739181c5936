import type { Link, LinkCreate, LinkPatch, TagChange } from "#contract/link-record.ts";
import type { LinkReplace } from "#contract/link-upsert.ts";
import type { LinkAction } from "#contract/links.ts";
import { domainForNewLink } from "#domains/link-domains.ts";
import type { IdempotencyKey, Replayed } from "#http/route.ts";
import { once } from "#idempotency/idempotency.service.ts";
import type { Caller } from "#kernel/caller.ts";
import type { IfMatch } from "#kernel/precondition.ts";
import { archivedLinks, linkIdsOf } from "./account-links.ts";
import { queueOf } from "./account-queue.ts";
import { bulkOperations } from "./bulk-links.ts";
import { linkChange } from "./change-link.ts";
import { checkSlug } from "./check-slug.ts";
import { type CreatedLink, linkCreation } from "./create-link.ts";
import { linkExport } from "./export-links.ts";
import { linkImports } from "./import-links.ts";
import { linkChecks } from "./link-checks.ts";
import type { LinkDeps, LinkWork } from "./link-deps.ts";
import { linkDrafts } from "./link-drafts.ts";
import { linkHistory } from "./link-history.ts";
import { linkLists } from "./link-lists.ts";
import { toLink } from "./link-record.ts";
import { readRow } from "./link-rows.ts";
import { linkTrash } from "./link-trash.ts";
import { findDestinationUrls, findLinkNames, findTags, type LinkName, type TagCount } from "./links.store.ts";
import { createUnlessSame } from "./same-link.ts";
import { withSecretFingerprint } from "./secret-fingerprint.ts";
import { linkUpdates } from "./update-link.ts";
import { linkUpsert } from "./upsert-link.ts";

export interface DeleteOptions {
  /** Erases the link and its clicks at once. */
  readonly permanent: boolean;
}

export function linkService(deps: LinkDeps) {
  const { records, clock, origin, secretKey } = deps;
  const checks = linkChecks(deps);
  const change = linkChange(deps);
  const create = linkCreation(deps, checks);
  const updates = linkUpdates(deps, change, checks);
  const trash = linkTrash(deps, change);
  const upsert = linkUpsert(deps, { change, checks, create, updates });

  /** In a transaction of its own. */
  const run = <T>(caller: Caller, work: LinkWork<T>): Promise<T> =>
    records.write((tx) => work(tx, clock()), queueOf(caller));

  const moveToTrash = (caller: Caller, id: string, ifMatch: IfMatch): Promise<Link> =>
    run(caller, trash.moveToTrash(caller, id, ifMatch));

  const lists = linkLists(deps);

  return {
    ...lists,
    export: linkExport(lists.list),
    ...linkDrafts(deps, checks),
    ...linkHistory(deps),
    archived: (accountNo: number) => archivedLinks(deps, accountNo),
    idsOf: (accountNo: number, numbers: Iterable<number>) => linkIdsOf(records, accountNo, numbers),
    ...bulkOperations(deps, { create, updates, trash }),
    ...linkImports(deps, { create, checks, change, trash }),

    async create(
      caller: Caller,
      body: LinkCreate,
      idempotency: IdempotencyKey | null,
    ): Promise<CreatedLink | Replayed> {
      const work = await create(caller, body);
      const key = idempotency && body.password != null ? withSecretFingerprint(idempotency, secretKey) : idempotency;
      return createUnlessSame(records, (older) =>
        run(caller, (tx, now) => once(tx, caller.accountNo, key, now, () => work(older)(tx, now))),
      );
    },

    /** Creates or replaces the link that another system names. */
    async upsert(caller: Caller, externalId: string, body: LinkReplace, ifMatch: IfMatch): Promise<CreatedLink> {
      return run(caller, await upsert(caller, externalId, body, ifMatch));
    },

    async get(caller: Pick<Caller, "accountNo">, id: string): Promise<Link> {
      return toLink(await readRow(records, caller, id), origin, clock());
    },

    /** What people recognise links by; skips ids that aren't the caller's. */
    names: ({ accountNo }: Caller, ids: readonly string[]): Promise<LinkName[]> =>
      findLinkNames(records.read, accountNo, ids),

    /** As for a new link. What is wrong with the address itself has been checked with the request. */
    assertMayLeadTo: (caller: Caller, destinationUrl: string): Promise<void> =>
      checks.assertMayLeadTo(records.read, caller, [{ field: "destination_url", url: destinationUrl }]),

    destinationUrls: ({ accountNo }: Caller, ids: readonly string[]): Promise<string[]> =>
      findDestinationUrls(records.read, accountNo, ids),

    tags: ({ accountNo }: Caller, text = ""): Promise<TagCount[]> => findTags(records.scan, accountNo, text),

    /** On the domain that a new link would have. */
    async checkSlug(caller: Caller, slug: string, domain: string | undefined) {
      const { no } = await domainForNewLink(records.read, caller, domain, origin.domain);
      return checkSlug(records.read, caller, slug, no);
    },

    async update(caller: Caller, id: string, patch: LinkPatch, ifMatch: IfMatch): Promise<Link> {
      return run(caller, await updates.update(caller, id, patch, ifMatch));
    },

    changeTags: (caller: Caller, id: string, tagChange: TagChange, ifMatch: IfMatch): Promise<Link> =>
      run(caller, updates.changeTags(caller, id, tagChange, ifMatch)),

    act: (caller: Caller, id: string, action: LinkAction, ifMatch: IfMatch): Promise<Link> =>
      run(caller, updates.act(caller, id, action, ifMatch)),

    revert: (caller: Caller, id: string, version: number, ifMatch: IfMatch): Promise<Link> =>
      run(caller, updates.revert(caller, id, version, ifMatch)),

    moveToTrash,

    async delete(
      caller: Caller,
      id: string,
      ifMatch: IfMatch,
      { permanent }: DeleteOptions = { permanent: false },
    ): Promise<undefined> {
      if (permanent) await run(caller, trash.erase(caller, id, ifMatch));
      else await moveToTrash(caller, id, ifMatch);
      return undefined;
    },

    restore: (caller: Caller, id: string, ifMatch: IfMatch): Promise<Link> =>
      run(caller, trash.restore(caller, id, ifMatch)),
  };
}
export type LinkService = ReturnType<typeof linkService>;
