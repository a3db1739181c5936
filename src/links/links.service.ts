import { createHmac } from "node:crypto";
import { appendLinkAudit } from "#audit/link-audit.ts";
import type { BlockReason, FieldError } from "#contract/errors.ts";
import {
  type Link,
  type LinkCreate,
  type LinkPage,
  type LinkPatch,
  TAGS_MAX,
  type TagChange,
} from "#contract/link-record.ts";
import {
  LINKS_COUNTED_MAX,
  type LinkAction,
  type LinkCount,
  type LinkFilters,
  type LinkQuery,
} from "#contract/links.ts";
import { findAnsweringHost } from "#domains/answering-host.ts";
import { domainForNewLink, findDomainNo, type LinkDomain, namespacesOf } from "#domains/link-domains.ts";
import { assertLeadsElsewhere, type NamedUrl } from "#domains/self-reference.ts";
import { appendChange } from "#engines/records/changes.ts";
import type { Records } from "#engines/records/records.ts";
import type { Sql } from "#engines/records/schema.ts";
import { atOnce } from "#engines/records/statement.ts";
import type { IdempotencyKey, Replayed } from "#http/route.ts";
import { once } from "#idempotency/idempotency.service.ts";
import { ApiError, bodyProblem, validationFailed } from "#kernel/api-error.ts";
import type { Caller } from "#kernel/caller.ts";
import type { Clock } from "#kernel/clock.ts";
import { newId } from "#kernel/ids.ts";
import { linkKey, slugOf } from "#kernel/link-key.ts";
import { assertVersion, type IfMatch } from "#kernel/precondition.ts";
import type { Outbox } from "#outbox/outbox.service.ts";
import { assertRulesAllowed, releaseActiveLink, reserveActiveLink } from "#plans/plan-limits.ts";
import type { DestinationRules } from "#shared/destination-rules.ts";
import { queueOf } from "./account-queue.ts";
import { checkExpiry, checkPeriod, checkWholeLink } from "./check-link-body.ts";
import { checkRules } from "./check-rules.ts";
import { checkSlug } from "./check-slug.ts";
import { checkDestination } from "./destination.ts";
import { assertExternalId, assertExternalIdFree } from "./external-id.ts";
import type { CursorCodec } from "./link-cursor.ts";
import { newDestinationsOf } from "./link-destinations.ts";
import { draftRowOf, type LinkDraft, standingOfNew } from "./link-draft.ts";
import { eventOfAction, previousOf } from "./link-events.ts";
import {
  changeTags,
  fieldsOfNew,
  isSameFields,
  isSameRules,
  type LinkFields,
  patchFields,
  searchTextOf,
} from "./link-fields.ts";
import { countMatching, findLinkPage, type ListRequest, positionOf } from "./link-list.store.ts";
import { hashLinkPassword } from "./link-password.ts";
import { type LinkRow, type ShortOrigin, toLink } from "./link-record.ts";
import { getLiveRow, getRow } from "./link-rows.ts";
import { applyAction } from "./link-state.ts";
import { type ChangeLink, linkTrash } from "./link-trash.ts";
import {
  findDestinationUrls,
  findLinkNames,
  findTags,
  insertLink,
  insertTags,
  type LinkName,
  replaceTags,
  type TagCount,
  updateLink,
} from "./links.store.ts";
import { findAddressedKey } from "./short-address.ts";
import { newSlug } from "./slug.ts";

const SLUG_ATTEMPTS_MAX = 5;
const SLUG_LENGTH = 8;
/** In place of one that isn't drawn yet. */
const NEW_SLUG = "new";

export interface LinkDeps {
  readonly records: Records;
  readonly clock: Clock;
  readonly cursors: CursorCodec;
  readonly origin: ShortOrigin;
  readonly outbox: Outbox;
  readonly destinations: DestinationRules;
  readonly secretKey: string;
  /** Why the operator blocks a destination, or `null`. */
  readonly blockReasonOf: (destinationUrl: string) => BlockReason | null;
  /** A command without a server doesn't: it leaves the blocks that links have. */
  readonly knowsBlocklist: () => boolean;
}

export function linkService(deps: LinkDeps) {
  const { records, clock, cursors, origin, outbox, destinations, secretKey, blockReasonOf } = deps;

  const serialise = (field: string, url: string): string => {
    const checked = checkDestination(url, destinations);
    if (!checked.ok) throw validationFailed([bodyProblem(field, checked.code, checked.message)]);
    return checked.url;
  };

  const assertNone = (problems: readonly FieldError[]): void => {
    if (problems.length > 0) throw validationFailed(problems);
  };

  /** Before destinations are looked at, so that all problems with rules are named at once. */
  const assertRules = ({ rules }: Pick<LinkCreate, "rules">): void => assertNone(checkRules(rules ?? [], destinations));

  const assertValid = (before: LinkFields | null, fields: LinkFields): LinkFields => {
    assertNone([...checkPeriod(before, fields), ...checkWholeLink(fields)]);
    return fields;
  };

  const assertMayLeadTo = async (sql: Sql, caller: Caller, added: readonly NamedUrl[]): Promise<void> => {
    await assertLeadsElsewhere(sql, caller, added, { ownHosts: destinations.ownHosts });
    for (const { field, url } of added) {
      const reason = blockReasonOf(url);
      if (reason === null) continue;
      throw new ApiError("destination_blocked", `The destination is blocked (${reason}).`, { reason, field });
    }
  };

  /** What depends on plan, domains and block list: only of what is new, so that the rest can always be changed. */
  const assertAllowed = async (
    sql: Sql,
    caller: Caller,
    before: LinkFields | null,
    fields: LinkFields,
  ): Promise<void> => {
    const { rules = [] } = fields.settings;
    if (!isSameRules(before, fields)) assertRulesAllowed(caller, rules.length);
    await assertMayLeadTo(sql, caller, newDestinationsOf(before, fields));
  };

  /** Looks the link up, checks its version, changes it and records the change for caches, audit log and webhooks. */
  const change: ChangeLink = (caller, id, { ifMatch, event, action }, work) =>
    records.write(async (tx) => {
      const at = clock();
      const row = action === undefined ? await getRow(tx, caller, id) : await getLiveRow(tx, caller, id, action);
      assertVersion(ifMatch, row.version);
      const changed = await work(tx, row, at);
      if (!changed) return toLink(row, origin, at);
      const link = toLink(changed, origin, at);
      await appendChange(tx, changed.key, at);
      const previous = event === "link.updated" ? previousOf(toLink(row, origin, at), link) : null;
      const fields = Object.keys(previous ?? {});
      if (changed.password_hash !== row.password_hash) fields.push("password");
      await appendLinkAudit(tx, caller, { at, action: event, link, fields });
      const data = () => (previous ? { link, previous } : { link });
      await outbox.append(tx, { type: event, accountNo: caller.accountNo, at, data });
      return link;
    }, queueOf(caller));

  /** Saves new fields, unless nothing differs (`null`). */
  const save = async (tx: Sql, caller: Caller, row: LinkRow, { fields, hash, now }: Saved): Promise<LinkRow | null> => {
    const before = fieldsOf(row);
    if (isSameFields(before, fields) && hash === row.password_hash) return null;
    await assertAllowed(tx, caller, before, fields);
    await assertExternalId(tx, row, fields);
    if (JSON.stringify(before.tags) !== JSON.stringify(fields.tags)) await replaceTags(tx, row, fields.tags);
    return updateLink(tx, row, { ...columnsOf(fields, slugOf(row.key)), password_hash: hash, updated_at: now });
  };

  /** What the store is asked for the first page; `null` if no link can match. */
  const listRequest = async ({ accountNo }: Caller, query: LinkQuery): Promise<ListRequest | null> => {
    const namespaces = await findNamespaces(records.read, accountNo, query, origin.domain);
    if (namespaces?.length === 0 || hasControls(query)) return null;
    const { q } = query;
    const addressed = q === undefined ? null : await findAddressedKey(records.read, accountNo, q, origin.domain);
    return { accountNo, namespaces, query, addressed, after: null, now: clock() };
  };

  const trash = linkTrash({ ...deps, change });

  return {
    async create(caller: Caller, body: LinkCreate, idempotency: IdempotencyKey | null): Promise<Link | Replayed> {
      assertRules(body);
      const fields = assertValid(null, fieldsOfNew(body, serialise));
      const passwordHash = body.password == null ? null : await hashLinkPassword(body.password);
      // Whoever reads a fast hash of a body could find a short password in it by trying.
      const key = idempotency && passwordHash !== null ? withSecretFingerprint(idempotency, secretKey) : idempotency;
      return records.write((tx) => {
        const now = clock();
        return once(tx, caller.accountNo, key, now, async () => {
          assertNone(checkExpiry(fields.expires_at, now));
          await assertAllowed(tx, caller, null, fields);
          const domain = await domainForNewLink(tx, caller, body.domain, origin.domain);
          const row = await insertWithSlug(tx, caller, {
            slug: body.slug?.toLowerCase() ?? null,
            domain,
            fields,
            passwordHash,
            now,
            domainName: domain.name ?? origin.domain,
          });
          const link = toLink(row, origin, now);
          await atOnce(
            insertTags(tx, row.no, row.account_no, fields.tags),
            reserveActiveLink(tx, caller),
            appendChange(tx, row.key, now),
            appendLinkAudit(tx, caller, { at: now, action: "link.created", link }),
            outbox.append(tx, { type: "link.created", accountNo: row.account_no, at: now, data: () => ({ link }) }),
          );
          return link;
        });
      }, queueOf(caller));
    },

    async get(caller: Caller, id: string): Promise<Link> {
      return toLink(await getRow(records.read, caller, id), origin, clock());
    },

    /** The link with changes that aren't saved, checked as if they were. */
    async draft(caller: Caller, id: string, unsaved: Pick<LinkPatch, "rules" | "destination_url">): Promise<LinkDraft> {
      assertRules(unsaved);
      const row = await getLiveRow(records.read, caller, id, "resolve");
      const before = fieldsOf(row);
      const fields = assertValid(before, patchFields(before, unsaved, serialise));
      await assertAllowed(records.read, caller, before, fields);
      return {
        slug: slugOf(row.key),
        row: draftRowOf(row, fields),
        usedClicks: row.used_clicks,
        host: await findAnsweringHost(records.read, row.domain_no),
      };
    },

    /** A link that isn't created yet, checked as if it were. */
    async draftNew(caller: Caller, body: LinkCreate): Promise<LinkDraft> {
      assertRules(body);
      const fields = assertValid(null, fieldsOfNew(body, serialise));
      await assertAllowed(records.read, caller, null, fields);
      const domain = await domainForNewLink(records.read, caller, body.domain, origin.domain);
      return {
        slug: body.slug ?? NEW_SLUG,
        row: draftRowOf(standingOfNew(caller.accountNo), fields),
        usedClicks: 0,
        host: await findAnsweringHost(records.read, domain.no),
      };
    },

    async list(caller: Caller, query: LinkQuery): Promise<LinkPage> {
      const after = query.cursor === undefined ? null : cursors.decode(query.cursor, query);
      const request = await listRequest(caller, query);
      if (!request) return { data: [], has_more: false, next_cursor: null };
      const rows = await findLinkPage(records, { ...request, after });
      const page = rows.slice(0, query.limit);
      const last = rows.length > query.limit ? page.at(-1) : undefined;
      return {
        data: page.map((row) => toLink(row, origin, request.now)),
        has_more: last !== undefined,
        next_cursor: last ? cursors.encode(positionOf(last, query), query) : null,
      };
    },

    async count(caller: Caller, filters: LinkFilters): Promise<LinkCount> {
      const request = await listRequest(caller, { ...filters, sort: "created_at", limit: 1 });
      const found = request ? await countMatching(records, request, LINKS_COUNTED_MAX + 1) : 0;
      return { count: Math.min(found, LINKS_COUNTED_MAX), at_least: found > LINKS_COUNTED_MAX };
    },

    /** What people recognise links by; skips ids that aren't the caller's. */
    names: ({ accountNo }: Caller, ids: readonly string[]): Promise<LinkName[]> =>
      findLinkNames(records.read, accountNo, ids),

    /** As for a new link. What is wrong with the address itself has been checked with the request. */
    assertMayLeadTo: (caller: Caller, destinationUrl: string): Promise<void> =>
      assertMayLeadTo(records.read, caller, [{ field: "destination_url", url: destinationUrl }]),

    destinationUrls: ({ accountNo }: Caller, ids: readonly string[]): Promise<string[]> =>
      findDestinationUrls(records.read, accountNo, ids),

    tags: ({ accountNo }: Caller, text = ""): Promise<TagCount[]> => findTags(records.scan, accountNo, text),

    /** On the domain that a new link would have. */
    async checkSlug(caller: Caller, slug: string, domain: string | undefined) {
      const { no } = await domainForNewLink(records.read, caller, domain, origin.domain);
      return checkSlug(records.read, slug, no);
    },

    async update(caller: Caller, id: string, patch: LinkPatch, ifMatch: IfMatch): Promise<Link> {
      assertRules(patch);
      // Once, because the transaction may run several times.
      const newHash = patch.password == null ? patch.password : await hashLinkPassword(patch.password);
      return change(caller, id, { ifMatch, event: "link.updated", action: "update" }, async (tx, row, now) => {
        const before = fieldsOf(row);
        const fields = assertValid(before, patchFields(before, patch, serialise));
        const hash = newHash === undefined ? row.password_hash : newHash;
        return save(tx, caller, row, { fields, hash, now });
      });
    },

    changeTags(caller: Caller, id: string, tagChange: TagChange, ifMatch: IfMatch): Promise<Link> {
      return change(caller, id, { ifMatch, event: "link.updated", action: "update" }, (tx, row, now) => {
        const before = fieldsOf(row);
        const fields = { ...before, tags: changeTags(before.tags, tagChange) };
        if (fields.tags.length > TAGS_MAX) {
          throw validationFailed([bodyProblem("add", "too_long", `A link can have at most ${TAGS_MAX} tags.`)]);
        }
        return save(tx, caller, row, { fields, hash: row.password_hash, now });
      });
    },

    act(caller: Caller, id: string, action: LinkAction, ifMatch: IfMatch): Promise<Link> {
      return change(caller, id, { ifMatch, event: eventOfAction[action], action }, async (tx, row, now) => {
        const after = applyAction(row, action, now);
        if (!after) return null;
        if (after.state === "active") await reserveActiveLink(tx, caller);
        else if (row.state === "active") await releaseActiveLink(tx, caller.accountNo);
        const { state, state_before_archive, paused_at, archived_at } = after;
        return updateLink(tx, row, { state, state_before_archive, paused_at, archived_at, updated_at: now });
      });
    },

    ...trash,
  };
}
export type LinkService = ReturnType<typeof linkService>;

interface Saved {
  readonly fields: LinkFields;
  readonly hash: string | null;
  readonly now: number;
}

/** No searchable text contains one. */
const hasControls = ({ q }: LinkQuery): boolean => q !== undefined && /\p{Cc}/u.test(q);

/** The namespaces a list is confined to; `null` if it isn't. A slug is looked for in each of them. */
async function findNamespaces(
  sql: Sql,
  accountNo: number,
  { domain, slug }: LinkQuery,
  ownName: string,
): Promise<readonly number[] | null> {
  if (domain === undefined) return slug === undefined ? null : namespacesOf(sql, accountNo);
  const no = await findDomainNo(sql, accountNo, domain, ownName);
  return no === undefined ? [] : [no];
}

interface NewLink {
  readonly slug: string | null;
  readonly domain: LinkDomain;
  /** As errors show it. */
  readonly domainName: string;
  readonly fields: LinkFields;
  readonly passwordHash: string | null;
  readonly now: number;
}

async function insertWithSlug(
  tx: Sql,
  caller: Caller,
  { slug, domain, domainName, fields, passwordHash, now }: NewLink,
): Promise<LinkRow> {
  const base = {
    id: newId("lnk"),
    account_no: caller.accountNo,
    domain_no: domain.no,
    domain_name: domain.name,
    password_hash: passwordHash,
    state: "active" as const,
    created_via: caller.via,
    version: 1,
    created_at: now,
    updated_at: now,
  };
  for (let attempt = 0; attempt <= SLUG_ATTEMPTS_MAX; attempt += 1) {
    // After that many collisions the short slugs are running out, so one more character.
    const candidate = slug ?? newSlug(attempt < SLUG_ATTEMPTS_MAX ? SLUG_LENGTH : SLUG_LENGTH + 1);
    const row = await insertLink(tx, {
      ...base,
      key: linkKey(domain.no, candidate),
      ...columnsOf(fields, candidate),
    });
    if (row) return row;
    await assertExternalIdFree(tx, caller.accountNo, fields.external_id);
    if (slug !== null) {
      const message = `The slug "${slug}" is already taken on ${domainName}, or was used there by a deleted link.`;
      throw new ApiError("slug_taken", message, { slug });
    }
  }
  throw new Error(`no free slug in ${SLUG_ATTEMPTS_MAX + 1} attempts`);
}

const withSecretFingerprint = (key: IdempotencyKey, secret: string): IdempotencyKey => ({
  ...key,
  fingerprint: createHmac("sha256", secret).update(`fingerprint:${key.fingerprint}`).digest("hex"),
});

const columnsOf = (fields: LinkFields, slug: string) => ({
  ...fields,
  tags: JSON.stringify(fields.tags),
  utm: JSON.stringify(fields.utm),
  settings: Object.keys(fields.settings).length === 0 ? null : JSON.stringify(fields.settings),
  search_text: searchTextOf(slug, fields),
});

const fieldsOf = (row: LinkRow): LinkFields => ({
  destination_url: row.destination_url,
  title: row.title,
  tags: JSON.parse(row.tags) as string[],
  utm: JSON.parse(row.utm) as LinkFields["utm"],
  expires_at: row.expires_at,
  settings: JSON.parse(row.settings ?? "{}") as LinkFields["settings"],
  notes: row.notes,
  external_id: row.external_id,
});
