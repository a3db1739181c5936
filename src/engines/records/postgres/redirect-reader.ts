import type pg from "pg";
import { HOSTS_KEY, type LinkKey } from "#kernel/link-key.ts";
import {
  CHANGES_READ_MAX,
  type Change,
  type Found,
  type FoundAsOf,
  type HostTable,
  type RedirectReader,
  type RedirectRow,
} from "../redirect-reader.ts";
import { storable } from "../storable-text.ts";
import { NUMBER_CHANGES } from "./changes.ts";
import { toRecordsError } from "./errors.ts";
import { beginReading, openPool } from "./pool.ts";

interface Options {
  readonly url: string;
  /** A copy of the database that may lag behind, for links. */
  readonly readUrl: string | null;
}

// A visitor waits for it. Later, an answer from the cache or "try again" is better.
const LOOKUP_MS_MAX = 1000;
// Whoever waits for a copy in vain still has to ask the server itself.
const COPY_MS_MAX = 150;
const COPY_AWAY_MS = 3000;
/** Of each redirect process, and of control. */
export const READER_CONNECTIONS = 8;

// In one statement, so that all of it is of one moment: how far the log has come tells how old the link may be.
const LINK_SQL = `
select (select coalesce(max(seq), 0) from changes) as seq,
  l.no, l.account_no, l.destination_url, l.utm, l.title, l.state, l.expires_at, l.blocked_reason,
  a.suspended_at is not null as suspended, l.password_hash is not null as guarded, l.settings,
  t.key is not null as deleted
from (select $1::text as key) as wanted
left join links l on l.key = wanted.key
left join accounts a on a.no = l.account_no
left join tombstones t on t.key = wanted.key`;
const usable = (url: string): string =>
  `'${url}', case when a.suspended_at is null and d.blocked_urls::json ->> '${url}' is null then d.${url} end`;
const HOSTS_SQL = `
select (select coalesce(max(seq), 0) from changes) as seq, coalesce(json_agg(json_build_object(
  'no', d.no, 'name', d.name,
  ${usable("root_redirect_url")}, ${usable("not_found_redirect_url")}, ${usable("expired_redirect_url")})), '[]') as hosts
from domains d join accounts a on a.no = d.account_no where d.status = 'verified'`;
const CHANGES_SQL = `select seq, key from changes where seq > $1 order by seq limit ${CHANGES_READ_MAX + 1}`;
const NEWEST_SQL = "select coalesce(max(seq), 0) as seq from changes";

type LinkRow = Omit<RedirectRow, "no" | "utm" | "settings"> & {
  readonly no: number | null;
  readonly utm: string;
  readonly settings: string | null;
  readonly deleted: boolean;
};

type FoundRow = { readonly seq: number } & (LinkRow | HostTable);

export function openPostgresRedirectReader({ url, readUrl }: Options): RedirectReader {
  const limits = { connectionsMax: READER_CONNECTIONS, queryMsMax: LOOKUP_MS_MAX, connectMsMax: LOOKUP_MS_MAX };
  const primary = openPool({ url, ...limits });
  const copy =
    readUrl === null ? null : openPool({ url: readUrl, ...limits, queryMsMax: COPY_MS_MAX, connectMsMax: COPY_MS_MAX });
  let copyAwayUntil = Number.NEGATIVE_INFINITY;
  let seenSeq: number | undefined;

  /** What was committed before the call has its number afterwards. */
  const readNumbered = async <R extends pg.QueryResultRow>(sql: string, values: readonly unknown[]): Promise<R[]> => {
    const client = await primary.connect().catch((error: unknown) => {
      throw toRecordsError(error);
    });
    let isDone = false;
    try {
      // All are sent at once.
      const [, , { rows }] = await Promise.all([
        client.query(NUMBER_CHANGES),
        client.query(beginReading(LOOKUP_MS_MAX)),
        client.query<R>(sql, [...values]),
        client.query("commit"),
      ]);
      isDone = true;
      return rows;
    } catch (error) {
      throw toRecordsError(error);
    } finally {
      client.release(!isDone);
    }
  };

  const lastSeq = async (): Promise<number> => (await readNumbered<{ seq: number }>(NEWEST_SQL, []))[0]?.seq ?? 0;

  const findIn = async (pool: pg.Pool, key: LinkKey, msMax: number): Promise<FoundRow> => {
    const client = await pool.connect().catch((error: unknown) => {
      throw toRecordsError(error);
    });
    let isDone = false;
    try {
      // All three are sent at once.
      const [, { rows }] = await Promise.all([
        client.query(beginReading(msMax)),
        key === HOSTS_KEY ? client.query<FoundRow>(HOSTS_SQL) : client.query<FoundRow>(LINK_SQL, [...storable([key])]),
        client.query("commit"),
      ]);
      isDone = true;
      return rows[0] as FoundRow;
    } catch (error) {
      throw toRecordsError(error);
    } finally {
      client.release(!isDone);
    }
  };

  const findInCopy = async (key: LinkKey): Promise<FoundRow | null> => {
    if (copy === null || performance.now() < copyAwayUntil) return null;
    try {
      return await findIn(copy, key, COPY_MS_MAX);
    } catch {
      copyAwayUntil = performance.now() + COPY_AWAY_MS;
      return null;
    }
  };

  const findAsOf = async (key: LinkKey, notBefore = 0): Promise<FoundAsOf> => {
    // An older copy would put back what the cache was told to drop.
    const copied = await findInCopy(key);
    const row = copied && copied.seq >= notBefore ? copied : await findIn(primary, key, LOOKUP_MS_MAX);
    return { found: toFound(row), seq: row.seq };
  };

  return {
    reconnects: true,
    find: async (key, notBefore) => (await findAsOf(key, notBefore)).found,
    findAsOf,
    async changesSince(seq) {
      const rows = await readNumbered<Change>(CHANGES_SQL, [seq]);
      const [first] = rows;
      // A log that ends before `seq` belongs to data restored from a backup.
      if (!first) return (await lastSeq()) < seq ? "gap" : [];
      return first.seq === seq + 1 && rows.length <= CHANGES_READ_MAX ? rows : "gap";
    },
    lastSeq,
    async hasForeignCommit() {
      const before = seenSeq;
      seenSeq = await lastSeq();
      return seenSeq !== before;
    },
    async close() {
      await Promise.all([primary.end(), copy?.end()]);
    },
  };
}

function toFound({ seq, ...found }: FoundRow): Found {
  if ("hosts" in found) return found;
  const { deleted, no, utm, settings, ...row } = found;
  if (no !== null)
    return { ...row, no, utm: JSON.parse(utm), settings: settings === null ? null : JSON.parse(settings) };
  return deleted ? "deleted" : null;
}
