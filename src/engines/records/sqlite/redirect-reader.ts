import {
  CHANGES_READ_MAX,
  type Change,
  type Found,
  type RedirectReader,
  type RedirectRow,
} from "../redirect-reader.ts";
import { openSqlite } from "./connection.ts";

// A busy database blocks the event loop, so readers here give up far sooner than writers.
const BUSY_TIMEOUT_MS = 200;

const LINK_SQL = `
select l.no, l.account_no, l.destination_url, l.utm, l.title, l.state, l.expires_at, l.blocked_reason,
  a.suspended_at is not null as suspended
from links l join accounts a on a.no = l.account_no where l.slug = ?`;
const CHANGES_SQL = `select seq, slug from changes where seq > ? order by seq limit ${CHANGES_READ_MAX + 1}`;

type StoredRow = Omit<RedirectRow, "utm" | "suspended"> & { readonly utm: string; readonly suspended: number };

export function openSqliteRedirectReader(path: string): RedirectReader {
  const database = openSqlite({ path, readonly: true });
  try {
    database.run(`pragma busy_timeout = ${BUSY_TIMEOUT_MS}`);
    const link = database.prepare<StoredRow, [string]>(LINK_SQL);
    const tombstone = database.prepare<{ found: 1 }, [string]>("select 1 as found from tombstones where slug = ?");
    const changes = database.prepare<Change, [number]>(CHANGES_SQL);
    const newest = database.prepare<{ seq: number }, []>("select coalesce(max(seq), 0) as seq from changes");
    const version = database.prepare<{ data_version: number }, []>("pragma data_version");
    let seenVersion: number | undefined;

    const lastSeq = async (): Promise<number> => newest.get()?.seq ?? 0;
    const find = async (slug: string): Promise<Found> => {
      const row = link.get(slug);
      if (row) return { ...row, utm: JSON.parse(row.utm), suspended: row.suspended === 1 };
      return tombstone.get(slug) ? "deleted" : null;
    };
    return {
      find,
      async findAsOf(slug) {
        // Read first: the link may include later changes, but none is missing.
        const seq = await lastSeq();
        return { found: await find(slug), seq };
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
        for (const statement of [link, tombstone, changes, newest, version]) statement.finalize();
        database.close();
      },
    };
  } catch (error) {
    database.close();
    throw error;
  }
}
