import type { Records } from "#engines/records/records.ts";
import type { Sql } from "#engines/records/schema.ts";
import { slugOf } from "#kernel/link-key.ts";
import type { LinkFields } from "./link-fields.ts";
import type { LinkRow } from "./link-record.ts";
import { findActiveAt, findLinksByNo } from "./links.store.ts";

/** A link that is to be created, unless there is one like it. */
export interface WantedLink {
  readonly accountNo: number;
  readonly domainNo: number;
  /** `null` for any. */
  readonly slug: string | null;
  readonly fields: LinkFields;
}

// So many may have the same destination before it is worth to look for older ones off the event loop.
const NEWEST = 200;

/** A link beyond the newest ones that a scan found; `null` for none. */
export type Older = number | null | "not scanned";

/** Too many links have the destination to go through them in a transaction. */
class ManyAlike extends Error {
  readonly wanted: WantedLink;

  constructor(wanted: WantedLink) {
    super("many links have this destination");
    this.wanted = wanted;
  }
}

/** Runs a creation, once more after a scan if the destination has many links. */
export async function createUnlessSame<T>(records: Records, create: (older: Older) => Promise<T>): Promise<T> {
  try {
    return await create("not scanned");
  } catch (error) {
    if (!(error instanceof ManyAlike)) throw error;
    return create(await findOlder(records, error.wanted));
  }
}

/**
 * The newest active link that does what a new one would do. The newest with this destination are looked at in the
 * transaction, so that of two requests at once only the first creates a link.
 */
export async function findSame(tx: Sql, wanted: WantedLink, older: Older): Promise<LinkRow | undefined> {
  const newest = await findActiveAt(tx, wanted.accountNo, wanted.fields.destination_url, NEWEST);
  const same = newest.find((row) => isSame(row, wanted));
  if (same || newest.length < NEWEST || older === null) return same;
  if (older === "not scanned") throw new ManyAlike(wanted);
  return (await findLinksByNo(tx, [older])).find((row) => isSame(row, wanted));
}

async function findOlder(records: Records, wanted: WantedLink): Promise<number | null> {
  const { accountNo, fields } = wanted;
  let before: number | undefined;
  for (;;) {
    const rows = await findActiveAt(records.scan, accountNo, fields.destination_url, NEWEST, before);
    const same = rows.find((row) => isSame(row, wanted));
    if (same) return same.no;
    if (rows.length < NEWEST) return null;
    before = rows.at(-1)?.no;
  }
}

function isSame(row: LinkRow, { domainNo, slug, fields }: WantedLink): boolean {
  return (
    row.state === "active" &&
    row.domain_no === domainNo &&
    row.destination_url === fields.destination_url &&
    row.blocked_reason === null &&
    row.password_hash === null &&
    row.expires_at === fields.expires_at &&
    (slug === null || slugOf(row.key) === slug) &&
    (fields.external_id === null || row.external_id === fields.external_id) &&
    row.utm === JSON.stringify(fields.utm) &&
    isSameSettings(row, fields)
  );
}

/** Whatever the order in which they were set. A link that lets nobody in any more is no use to anyone. */
function isSameSettings({ settings, used_clicks }: LinkRow, fields: LinkFields): boolean {
  const own = JSON.parse(settings ?? "{}") as LinkFields["settings"];
  if (own.max_clicks !== undefined && used_clicks >= own.max_clicks) return false;
  return sortedText(own) === sortedText(fields.settings);
}

const sortedText = (settings: object): string =>
  JSON.stringify(Object.entries(settings).toSorted(([a], [b]) => (a < b ? -1 : 1)));
