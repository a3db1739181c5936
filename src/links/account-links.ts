import { describeActors } from "#audit/actors.ts";
import { placeOf } from "#audit/merged-log.ts";
import type { ArchivedLink, ArchivedVersion } from "#contract/account-archive.ts";
import type { RecordedFields } from "#contract/link-history.ts";
import { listLinks } from "#contract/links.ts";
import type { Records } from "#engines/records/records.ts";
import { toTimestamp } from "#kernel/clock.ts";
import type { LinkDeps } from "./link-deps.ts";
import { findLinkPage } from "./link-list.store.ts";
import { type LinkRow, toLink } from "./link-record.ts";
import { listVersionsOf, type VersionRow } from "./link-versions.store.ts";
import { findIdsOf } from "./links.store.ts";

/** Small enough that nobody notices the pause while a page is read. */
const PAGE = 200;
// Each may have a hundred kilobytes.
const VERSIONS_PAGE = 50;

type Deps = Pick<LinkDeps, "records" | "origin">;

const everyLink = listLinks.query.parse({ state: ["all"], sort: "created_at" });

/** All links of an account that aren't in the trash, oldest first, page by page. */
async function* linkRows(records: Records, accountNo: number): AsyncGenerator<readonly LinkRow[]> {
  const request = { accountNo, namespaces: null, addressed: null, isBackwards: false, now: 0 };
  for (let last: LinkRow | undefined; ; ) {
    const from = last ? { value: last.created_at, no: last.no } : null;
    const rows = await findLinkPage(records, { ...request, query: { ...everyLink, limit: PAGE }, from });
    const page = rows.slice(0, PAGE);
    if (page.length > 0) yield page;
    if (rows.length <= PAGE) return;
    last = page.at(-1);
  }
}

export interface ArchivedLinkPage {
  readonly links: readonly ArchivedLink[];
  /** Of these links, in the same order, from the oldest version on. */
  history(): AsyncGenerator<readonly ArchivedVersion[]>;
}

/** All links of an account with their histories, as archives have them. */
export async function* archivedLinks({ records, origin }: Deps, accountNo: number): AsyncGenerator<ArchivedLinkPage> {
  for await (const rows of linkRows(records, accountNo)) {
    yield {
      links: rows.map((row) => toArchivedLink(row, origin)),
      history: () => archivedVersions(records, accountNo, rows),
    };
  }
}

function toArchivedLink(row: LinkRow, origin: Deps["origin"]): ArchivedLink {
  const { short_url, expired, exhausted, scheduled, deleted_at, erases_at, ...link } = toLink(row, origin, 0);
  return {
    ...link,
    state: row.state,
    state_before_archive: row.state_before_archive,
    used_clicks: row.used_clicks,
  };
}

async function* archivedVersions(
  records: Records,
  accountNo: number,
  rows: readonly LinkRow[],
): AsyncGenerator<readonly ArchivedVersion[]> {
  for (const group of groupsOf(rows.filter(({ version }) => version > 1))) {
    const places = new Map(group.map(({ id }, index) => [id, index]));
    // Links may get more versions meanwhile, and then a group takes several pages, whose links aren't in its order.
    const found: ArchivedVersion[] = [];
    for await (const versions of versionsOf(records, accountNo, group)) {
      if (group.length === 1) yield versions;
      else found.push(...versions);
    }
    if (found.length > 0) yield found.toSorted((a, b) => (places.get(a.link) ?? 0) - (places.get(b.link) ?? 0));
  }
}

/** Page by page, by the links' numbers. */
async function* versionsOf(
  records: Records,
  accountNo: number,
  group: readonly LinkRow[],
): AsyncGenerator<readonly ArchivedVersion[]> {
  const byNumber = new Map(group.map((row) => [row.no, row]));
  for (let after: VersionRow | undefined; ; ) {
    const linkNumbers = [...byNumber.keys()];
    const versions = await listVersionsOf(records.read, { linkNumbers, after, most: VERSIONS_PAGE });
    // A link may have changed since its row was read.
    const known = versions.filter(({ link_no, version }) => version <= (byNumber.get(link_no)?.version ?? 0));
    const names = known.map(({ actor }) => actor);
    const actors = await describeActors(records.read, accountNo, names);
    yield known.map((version) => toArchivedVersion(version, byNumber.get(version.link_no)?.id ?? "", actors));
    after = versions.at(-1);
    if (versions.length < VERSIONS_PAGE) return;
  }
}

/** Links whose versions fit into one page, or a single one. */
function groupsOf(rows: readonly LinkRow[]): LinkRow[][] {
  const groups: LinkRow[][] = [];
  let room = 0;
  for (const row of rows) {
    room -= row.version - 1;
    if (room >= 0) groups.at(-1)?.push(row);
    else {
      groups.push([row]);
      room = VERSIONS_PAGE - row.version;
    }
  }
  return groups;
}

function toArchivedVersion(
  { version, at, actor, via, action, reverted_to, before, after }: VersionRow,
  link: string,
  actors: Awaited<ReturnType<typeof describeActors>>,
): ArchivedVersion {
  const { type = "system", name = null } = actors.get(actor) ?? {};
  return {
    link,
    version,
    at: toTimestamp(at),
    action: action as ArchivedVersion["action"],
    reverted_to,
    by: { type, name },
    via: placeOf({ actor, via, details: {} }) as ArchivedVersion["via"],
    before: JSON.parse(before) as RecordedFields,
    after: JSON.parse(after) as RecordedFields,
  };
}

/** The ids of links by their numbers; without those in the trash. */
export async function linkIdsOf(
  records: Records,
  accountNo: number,
  numbers: Iterable<number>,
): Promise<ReadonlyMap<number, string>> {
  const wanted = [...new Set(numbers)].toSorted((a, b) => a - b);
  const ids = new Map<number, string>();
  for (let start = 0; start < wanted.length; start += PAGE) {
    const rows = await findIdsOf(records.read, accountNo, wanted.slice(start, start + PAGE));
    for (const { no, id } of rows) ids.set(no, id);
  }
  return ids;
}
