import { type AliasableExpression, type ExpressionBuilder, type SelectQueryBuilder, sql } from "kysely";
import { type LiveState, liveStates } from "#contract/link-record.ts";
import { type LinkQuery, statesOf } from "#contract/links.ts";
import { containsPattern } from "#engines/records/like.ts";
import type { Records } from "#engines/records/records.ts";
import type { Database, Sql } from "#engines/records/schema.ts";
import { type LinkKey, linkKey, OWN_DOMAIN } from "#kernel/link-key.ts";
import type { Position } from "./link-cursor.ts";
import { foldCase } from "./link-fields.ts";
import type { LinkRow } from "./link-record.ts";
import { leadsTo, linkColumns } from "./links.store.ts";

export interface ListRequest {
  readonly accountNo: number;
  /** The numbers of the domains it is confined to, at least one; `null` if to none. */
  readonly namespaces: readonly number[] | null;
  readonly query: LinkQuery;
  /** Of the link whose short URL the search text is, if it is one. */
  readonly addressed: LinkKey | null;
  /** Where the page begins, or ends if it is read backwards. */
  readonly from: Position | null;
  /** Whether the page is the one before `from`; its links then come in reverse order. */
  readonly isBackwards: boolean;
  readonly now: number;
}

/** A subquery that returns link numbers. */
type Candidates = AliasableExpression<{ no: number }>;

interface Selection {
  readonly links: Candidates;
  /** What they still have to match. */
  readonly rest: LinkQuery;
}

type CountColumn = "click_count" | "last_clicked_at";
type SortColumn = "created_at" | "updated_at" | "title" | CountColumn;

// Up to this many, fetching what a word or tag selects and sorting it is cheaper than walking the list in order.
const CANDIDATES_MAX = 2000;

/** Returns up to one link more than the page size, so the caller knows whether there is a next page. */
export async function findLinkPage(records: Records, request: ListRequest): Promise<LinkRow[]> {
  if (isTrash(request.query)) return inOrder(narrow(walkTrash(records.scan), request), request).execute();
  const db = needsScan(request.query) ? records.scan : records.read;
  const selective = await fewSelected(records, db, selectionsOf(records, db, request));
  const states = wantedStates(request.query);
  const most = request.query.limit + 1;
  if (selective) {
    // A cross join fixes the join order: the few candidates first, then each link by its number.
    const picked = db
      .selectFrom(selective.as("candidate"))
      .crossJoin("links")
      .whereRef("links.no", "=", "candidate.no")
      .crossJoin("link_counts")
      .whereRef("link_counts.link_no", "=", "links.no");
    return inOrder(narrow(picked.where("links.state", "in", states).select(linkColumns), request), request).execute();
  }
  const pages = states.flatMap((state) =>
    rangesOf(request).map((range) => inOrder(matching(range(walk(db, state, request)), request), request)),
  );
  const [first, ...rest] = pages;
  if (!first) return [];
  if (rest.length === 0) return first.execute();
  let merged = db.selectFrom(first.as("links")).selectAll();
  for (const page of rest) merged = merged.unionAll(db.selectFrom(page.as("links")).selectAll());
  const { column, direction } = orderOf(request);
  return db
    .selectFrom(merged.as("links"))
    .selectAll()
    .orderBy(column === "title" ? titleKey : column, direction)
    .orderBy("no", direction)
    .limit(most)
    .execute();
}

/** All links in one state, starting from the table whose index has the sort order. */
function walk(db: Sql, state: LiveState, { accountNo, query }: ListRequest): LinksQuery {
  if (!isCount(sortOf(query).column)) {
    return db
      .selectFrom("links")
      .crossJoin("link_counts")
      .whereRef("link_counts.link_no", "=", "links.no")
      .where("links.state", "=", state)
      .select(linkColumns);
  }
  return db
    .selectFrom("link_counts")
    .crossJoin("links")
    .whereRef("links.no", "=", "link_counts.link_no")
    .where("link_counts.account_no", "=", accountNo)
    .where("link_counts.state_no", "=", liveStates.indexOf(state))
    .select(linkColumns);
}

/** Deleted links and their counts, under the names that conditions of links have. */
function walkTrash(db: Sql): LinksQuery {
  const counts = db
    .selectFrom("deleted_links")
    .select(["no as link_no", "account_no", "click_count", "last_clicked_at", "used_clicks"])
    .as("link_counts");
  return db
    .selectFrom("deleted_links as links")
    .crossJoin(counts)
    .whereRef("link_counts.link_no", "=", "links.no")
    .select([...linkColumns, "links.deleted_at"]) as unknown as LinksQuery;
}

const isTrash = (query: LinkQuery): boolean => statesOf(query).includes("deleted");

/** A filter that the sort index doesn't cover may read many rows before a page is full. */
const needsScan = (query: LinkQuery): boolean => {
  const { q, tag, expired, blocked, created_via, created_after, created_before, domain, destination_url } = query;
  const isByTime = created_after !== undefined || created_before !== undefined;
  return (
    q !== undefined ||
    tag.length > 0 ||
    expired !== undefined ||
    blocked !== undefined ||
    created_via !== undefined ||
    domain !== undefined ||
    destination_url !== undefined ||
    (isByTime && sortOf(query).column !== "created_at")
  );
};

/** How many links match, up to `most`. */
export async function countMatching(records: Records, request: ListRequest, most: number): Promise<number> {
  const db = records.scan;
  if (isTrash(request.query)) return countRows(db, narrow(walkTrash(db), request), most);
  const selections = selectionsOf(records, db, request);
  // A single one is read below in any case, as far as it counts.
  const few = selections.length > 1 ? await fewSelected(records, db, selections) : null;
  const first = few ? { links: few, rest: request.query } : selections[0];
  // As in a page: the candidates first, then each link by its number.
  const rows = first
    ? db.selectFrom(first.links.as("candidate")).crossJoin("links").whereRef("links.no", "=", "candidate.no")
    : db.selectFrom("links");
  const inState = rows.where("links.state", "in", wantedStates(request.query)).select("links.no");
  return countRows(db, matching(inState, { ...request, query: first?.rest ?? request.query }), most);
}

async function countRows<R>(db: Sql, rows: MatchQuery<R>, most: number): Promise<number> {
  const { count } = await db
    .selectFrom(rows.limit(most).as("found"))
    .select((eb) => eb.fn.countAll<number>().as("count"))
    .executeTakeFirstOrThrow();
  return count;
}

/** The links of the first selection that has only a few. */
async function fewSelected(records: Records, db: Sql, selections: readonly Selection[]): Promise<Candidates | null> {
  for (const { links } of selections) {
    const found = await db
      .selectFrom(links.as("found"))
      .select("found.no")
      .limit(CANDIDATES_MAX + 1)
      .execute();
    // As literal numbers, so an expensive search doesn't run twice.
    if (found.length <= CANDIDATES_MAX) return records.numbered(found.map(({ no }) => no));
  }
  return null;
}

/**
 * What the external id, the destination, the domain, tags, a block, an expiry and the search text select. Each contains every
 * link that matches, and can be read without the others; the fewest are expected in the first.
 */
function selectionsOf(
  records: Records,
  db: Sql,
  { accountNo, namespaces, query, addressed, now }: ListRequest,
): readonly Selection[] {
  const own = db.selectFrom("links").select("no").where("account_no", "=", accountNo);
  const byTag = tagCandidates(db, own, accountNo, query);
  // A second look at the tags of each link would cost as much as everything else.
  const besideTags = byTag.length === 1 ? { ...query, tag: [] } : query;
  const byText: Candidates[] = [];
  if (query.q !== undefined) {
    const containing: Candidates = records.textCandidates(accountNo, foldCase(query.q));
    const found = db.selectFrom(containing.as("containing")).select("containing.no");
    byText.push(addressed === null ? containing : found.union(own.where("key", "=", addressed)));
  }
  const byBlock = query.blocked === true ? [own.where("blocked_at", "is not", null)] : [];
  const { external_id: externalId, destination_url: destination } = query;
  const byDestination = destination === undefined ? [] : [own.where(leadsTo(db, destination))];
  const byExternalId = externalId === undefined ? [] : [own.where("external_id", "=", externalId)];
  const byExpiry = query.expired === true ? [own.where("expires_at", "<=", now)] : [];
  // The literal shows the planner that the partial index on domains has all of them.
  const onDomain = own.where("domain_no", "<>", sql.lit(OWN_DOMAIN)).where("domain_no", "in", namespaces ?? []);
  const byDomain = query.domain === undefined || namespaces?.includes(OWN_DOMAIN) ? [] : [onDomain];
  const select = (candidates: readonly Candidates[], rest = query): Selection[] =>
    candidates.map((links) => ({ links, rest }));
  return [
    ...select([...byExternalId, ...byDestination, ...byDomain]),
    ...select(byTag, besideTags),
    ...select([...byBlock, ...byExpiry, ...byText]),
  ];
}

/** Links with the tags that are asked for. Each once: a link may have several of them. */
function tagCandidates(db: Sql, own: OwnLinks, accountNo: number, { tag: tags, tag_mode }: LinkQuery): Candidates[] {
  if (tags.length === 0) return [];
  const named = namedTags(tags);
  const untagged = own.where(sql<boolean>`tags = '[]'`);
  const tagged = (wanted: readonly string[]) =>
    db
      .selectFrom("link_tags")
      .select("link_no as no")
      .where("account_no", "=", accountNo)
      .where("tag", "in", wanted)
      .$if(wanted.length > 1, (rows) => rows.distinct());
  if (tag_mode === "all") return [...named.map((tag) => tagged([tag])), ...(tags.includes("") ? [untagged] : [])];
  if (named.length === 0) return [untagged];
  return [tags.includes("") ? tagged(named).union(untagged) : tagged(named)];
}

type OwnLinks = SelectQueryBuilder<Database, "links", { no: number }>;

const namedTags = (tags: readonly string[]): string[] => [...new Set(tags.filter((tag) => tag !== "").map(foldCase))];

const wantedStates = (query: LinkQuery) => {
  const state = statesOf(query);
  return state.includes("all") ? [...liveStates] : liveStates.filter((one) => state.includes(one));
};

function sortOf({ sort }: LinkQuery): { column: SortColumn; direction: "asc" | "desc" } {
  const descending = sort.startsWith("-");
  return {
    column: (descending ? sort.slice(1) : sort) as SortColumn,
    direction: descending ? "desc" : "asc",
  };
}

/** The order in which a page is read. */
function orderOf({ query, isBackwards }: ListRequest): { column: SortColumn; direction: "asc" | "desc" } {
  const { column, direction } = sortOf(query);
  return { column, direction: isBackwards === (direction === "asc") ? "desc" : "asc" };
}

const isCount = (column: SortColumn): column is CountColumn => column === "click_count" || column === "last_clicked_at";

/** As the index has it. Both engines fold ASCII letters only, so `positionOf` can tell what they make of a title. */
const titleKey = sql<string>`coalesce(lower(${sql.ref("links.title")}), '')`;

const foldAscii = (text: string): string => text.replace(/[A-Z]/g, (letter) => letter.toLowerCase());

/** The sort columns, in the table that has an index on them. */
const keysOf = (column: SortColumn) =>
  isCount(column)
    ? { key: sql.ref<number>(`link_counts.${column}`), no: sql.ref<number>("link_counts.link_no") }
    : {
        key: column === "title" ? titleKey : sql.ref<number>(`links.${column}`),
        no: sql.ref<number>("links.no"),
      };

export function positionOf(row: LinkRow, query: LinkQuery): Position {
  const { column } = sortOf(query);
  return { value: column === "title" ? foldAscii(row.title ?? "") : row[column], no: row.no };
}

type LinksExpression = ExpressionBuilder<Database, "links" | "link_counts">;
type LinksQuery = SelectQueryBuilder<Database, "links" | "link_counts", LinkRow>;
type MatchQuery<R> = SelectQueryBuilder<Database, "links", R>;

function inOrder(query: LinksQuery, request: ListRequest): LinksQuery {
  const { column, direction } = orderOf(request);
  const { key, no } = keysOf(column);
  return query
    .orderBy(key, direction)
    .orderBy(no, direction)
    .limit(request.query.limit + 1);
}

function narrow(rows: LinksQuery, request: ListRequest): LinksQuery {
  const { from } = request;
  if (!from) return matching(rows, request);
  const { column, direction } = orderOf(request);
  const { key, no } = keysOf(column);
  const compare = sql.raw(direction === "desc" ? "<" : ">");
  return matching(rows.where(sql<boolean>`(${key}, ${no}) ${compare} (${from.value}, ${from.no})`), request);
}

/**
 * What lies beyond the position, as ranges of an index. SQLite compares pairs by an index of columns, but not by one of
 * expressions: there, links with the same key are a range of their own.
 */
function rangesOf(request: ListRequest): readonly ((rows: LinksQuery) => LinksQuery)[] {
  const { from } = request;
  const { column, direction } = orderOf(request);
  if (!from) return [(rows) => rows];
  const { key, no } = keysOf(column);
  const compare = sql.raw(direction === "desc" ? "<" : ">");
  if (column !== "title") {
    return [(rows) => rows.where(sql<boolean>`(${key}, ${no}) ${compare} (${from.value}, ${from.no})`)];
  }
  return [
    (rows) => rows.where(sql<boolean>`${key} = ${from.value} and ${no} ${compare} ${from.no}`),
    (rows) => rows.where(sql<boolean>`${key} ${compare} ${from.value}`),
  ];
}

/** Everything but the state, and where a page begins. */
function matching<R>(
  rows: MatchQuery<R>,
  { accountNo, namespaces, query, addressed, now }: ListRequest,
): MatchQuery<R> {
  const { column } = sortOf(query);
  let found = rows.where("links.account_no", "=", accountNo);
  const { q } = query;
  if (q !== undefined) {
    const isAddressed = (eb: LinksExpression) => (addressed === null ? [] : [eb("links.key", "=", addressed)]);
    found = found.where((eb) => eb.or([contains(eb, foldCase(q)), ...isAddressed(eb)]));
  }
  if (query.tag.length > 0) found = found.where((eb) => hasTags(eb, accountNo, query));
  const { destination_url: destination } = query;
  // As an expression, so that the planner stays on the sort index: few links with this destination were found before.
  if (destination !== undefined)
    found = found.where(sql<boolean>`${sql.ref("links.destination_url")} || '' = ${destination}`);
  if (query.external_id !== undefined) found = found.where("links.external_id", "=", query.external_id);
  const { slug } = query;
  if (namespaces !== null && slug !== undefined) {
    const keys = namespaces.map((no) => linkKey(no, slug.toLowerCase()));
    found = found.where("links.key", "in", keys);
  } else if (namespaces !== null) found = found.where("links.domain_no", "in", namespaces);
  if (query.created_via !== undefined) found = found.where("links.created_via", "=", query.created_via);
  if (query.blocked !== undefined) found = found.where("links.blocked_at", query.blocked ? "is not" : "is", null);
  if (query.expired === true) found = found.where("links.expires_at", "<=", now);
  if (query.expired === false) {
    found = found.where((eb) => eb.or([eb("links.expires_at", "is", null), eb("links.expires_at", ">", now)]));
  }
  // The unary plus keeps the planner on the sort index; otherwise it would filter by created_at and sort the rest.
  const createdAt = (eb: LinksExpression) =>
    column === "created_at" ? eb.ref("links.created_at") : sql<number>`+${eb.ref("links.created_at")}`;
  const { created_after, created_before } = query;
  if (created_after) found = found.where((eb) => eb(createdAt(eb), ">=", Date.parse(created_after)));
  if (created_before) found = found.where((eb) => eb(createdAt(eb), "<", Date.parse(created_before)));
  return found;
}

const contains = (eb: LinksExpression, text: string) =>
  sql<boolean>`${eb.ref("links.search_text")} like ${containsPattern(text)} escape '\\'`;

function hasTags(eb: LinksExpression, accountNo: number, query: LinkQuery) {
  const conditions = namedTags(query.tag).map((tag) => (isTrash(query) ? hadTag(tag) : hasTag(eb, accountNo, tag)));
  if (query.tag.includes("")) conditions.push(sql<boolean>`${sql.ref("links.tags")} = '[]'`);
  return query.tag_mode === "all" ? eb.and(conditions) : eb.or(conditions);
}

/** Rows of tags are gone with the link. In JSON, quotes of a tag are escaped, so only a whole tag matches. */
const hadTag = (tag: string) =>
  sql<boolean>`${sql.ref("links.folded_tags")} like ${containsPattern(JSON.stringify(tag))} escape '\\'`;

const hasTag = (eb: LinksExpression, accountNo: number, tag: string) =>
  eb.exists(
    eb
      .selectFrom("link_tags")
      .select("link_tags.tag")
      .where("link_tags.account_no", "=", accountNo)
      .where("link_tags.tag", "=", tag)
      .whereRef("link_tags.link_no", "=", "links.no"),
  );
