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

/** All links of an account, as archives have them. */
export async function* archivedLinks({ records, origin }: Deps, accountNo: number): AsyncGenerator<ArchivedLink[]> {
  for await (const rows of linkRows(records, accountNo)) yield rows.map((row) => toArchivedLink(row, origin));
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

/** Their histories, as archives have them. */
export async function* archivedVersions({ records }: Deps, accountNo: number): AsyncGenerator<ArchivedVersion[]> {
  for await (const rows of linkRows(records, accountNo)) {
    const changed = new Map(rows.filter(({ version }) => version > 1).map(({ no, id }) => [no, id]));
    const linkNumbers = [...changed.keys()].toSorted((a, b) => a - b);
    for (let after: VersionRow | undefined; linkNumbers.length > 0; ) {
      const versions = await listVersionsOf(records.read, { linkNumbers, after, most: VERSIONS_PAGE });
      const actors = versions.map(({ actor }) => actor);
      const described = await describeActors(records.read, accountNo, actors);
      yield versions.map((version) => toArchivedVersion(version, changed.get(version.link_no) ?? "", described));
      after = versions.at(-1);
      if (versions.length < VERSIONS_PAGE) break;
    }
  }
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
