import { HOSTS_KEY, type LinkKey } from "#kernel/link-key.ts";
import {
  CHANGES_READ_MAX,
  type Change,
  type Found,
  type HostRow,
  type RedirectReader,
  type RedirectRow,
} from "../redirect-reader.ts";
import { openSqlite } from "./connection.ts";

// A busy database blocks the event loop, so readers here give up far sooner than writers.
const BUSY_TIMEOUT_MS = 200;

const LINK_SQL = `
select l.no, l.account_no, l.destination_url, l.utm, l.title, l.state, l.expires_at, l.blocked_reason,
  a.suspended_at is not null as suspended, l.password_hash is not null as guarded, l.settings
from links l join accounts a on a.no = l.account_no where l.key = ?`;
const CHANGES_SQL = `select seq, key from changes where seq > ? order by seq limit ${CHANGES_READ_MAX + 1}`;

const usable = (url: string): string =>
  `case when a.suspended_at is null and d.blocked_urls ->> '${url}' is null then d.${url} end as ${url}`;
const HOSTS_SQL = `
select d.no, d.name, ${usable("root_redirect_url")}, ${usable("not_found_redirect_url")}, ${usable("expired_redirect_url")}
from domains d join accounts a on a.no = d.account_no where d.status = 'verified'`;

type StoredRow = Omit<RedirectRow, "utm" | "suspended" | "guarded" | "settings"> & {
  readonly utm: string;
  readonly suspended: number;
  readonly guarded: number;
  readonly settings: string | null;
};

export function openSqliteRedirectReader(path: string): RedirectReader {
  const database = openSqlite({ path, readonly: true });
  try {
    database.run(`pragma busy_timeout = ${BUSY_TIMEOUT_MS}`);
    const link = database.prepare<StoredRow, [string]>(LINK_SQL);
    const tombstone = database.prepare<{ found: 1 }, [string]>("select 1 as found from tombstones where key = ?");
    const hosts = database.prepare<HostRow, []>(HOSTS_SQL);
    const changes = database.prepare<Change, [number]>(CHANGES_SQL);
    const newest = database.prepare<{ seq: number }, []>("select coalesce(max(seq), 0) as seq from changes");
    const version = database.prepare<{ data_version: number }, []>("pragma data_version");
    let seenVersion: number | undefined;

    const lastSeq = async (): Promise<number> => newest.get()?.seq ?? 0;
    const find = async (key: LinkKey): Promise<Found> => {
      if (key === HOSTS_KEY) return { hosts: hosts.all() };
      const row = link.get(key);
      if (row) return toRedirectRow(row);
      return tombstone.get(key) ? "deleted" : null;
    };
    return {
      find,
      async findAsOf(key) {
        // Read first: the link may include later changes, but none is missing.
        const seq = await lastSeq();
        return { found: await find(key), seq };
      },
      async changesSince(seq) {
        const rows = changes.all(seq);
        const [first] = rows;
        // A log that ends before `seq` belongs to data restored from a backup.
        if (!first) return (await lastSeq()) < seq ? "gap" : [];
        return first.seq === seq + 1 && rows.length <= CHANGES_READ_MAX ? rows : "gap";
      },
      lastSeq,
      async hasForeignCommit() {
        const before = seenVersion;
        seenVersion = version.get()?.data_version;
        return seenVersion !== before;
      },
      async close() {
        for (const statement of [link, tombstone, hosts, changes, newest, version]) statement.finalize();
        database.close();
      },
    };
  } catch (error) {
    database.close();
    throw error;
  }
}

const toRedirectRow = ({ utm, suspended, guarded, settings, ...row }: StoredRow): RedirectRow => ({
  ...row,
  utm: JSON.parse(utm),
  suspended: suspended === 1,
  guarded: guarded === 1,
  settings: settings === null ? null : JSON.parse(settings),
});
