import type { Database } from "bun:sqlite";
import { mkdirSync, rmSync } from "node:fs";
import { dirname } from "node:path";
import { isDamage } from "../damage.ts";
import type { KnownLink, LinkSnapshot } from "../link-snapshot.ts";
import { openSqlite } from "./connection.ts";

export interface LinkSnapshotOptions {
  readonly path: string;
  /** The links that were added last are kept. */
  readonly linksMax?: number;
  /** How many changes it can tell apart; see `changedAt`. */
  readonly changesMax?: number;
}

// As many as a redirect process caches.
const LINKS_MAX = 500_000;
// Other processes of the node save within a second or two. Of what has fallen further behind, all is taken to be old.
const CHANGES_MAX = 10_000;
// A file of another format is replaced, as a damaged one: its links can be looked up again.
export const FORMAT = 4;
// Deleted links may be in the log until then.
const LOG_EMPTIED_MS = 60_000;

const SCHEMA = `
create table links (no integer primary key, key text not null unique, link text not null, as_of integer not null);
create table position (seq integer not null, changed_from integer not null);
create table changed (key text primary key, seq integer not null) without rowid;
create index changed_by_seq on changed (seq);
pragma user_version = ${FORMAT};`;

/** A damaged or foreign file is replaced by an empty one: it only has copies. */
export function openSqliteLinkSnapshot({
  path,
  linksMax = LINKS_MAX,
  changesMax = CHANGES_MAX,
}: LinkSnapshotOptions): LinkSnapshot {
  mkdirSync(dirname(path), { recursive: true, mode: 0o700 });
  let opened: Opened;
  try {
    opened = open(path);
  } catch (error) {
    if (!isDamage(error)) throw error;
    removeDatabase(path);
    opened = open(path);
  }
  return snapshotIn(opened, path, { linksMax, changesMax });
}

type Opened = ReturnType<typeof open>;

function open(path: string) {
  const database = openSqlite({ path, readonly: false });
  try {
    const { user_version: format } = database.query("pragma user_version").get() as { user_version: number };
    if (format === 0) database.transaction(() => database.run(SCHEMA))();
    else if (format !== FORMAT) throw Object.assign(new Error("another format"), { code: "SQLITE_NOTADB" });
    // What a power loss takes can be looked up again.
    database.run("pragma synchronous = normal");
    return { database, ...prepare(database) };
  } catch (error) {
    database.close();
    throw error;
  }
}

const prepare = (database: Database) => ({
  link: database.prepare<{ link: string }, [string]>("select link from links where key = ?"),
  any: database.prepare<{ no: number }, []>("select no from links limit 1"),
  last: database.prepare<{ seq: number; changed_from: number }, []>("select seq, changed_from from position"),
  changed: database.prepare<{ seq: number }, [string]>("select seq from changed where key = ?"),
  note: database.prepare<unknown, [string, number]>("insert or replace into changed (key, seq) values (?, ?)"),
  trimNotes: database.prepare<unknown, [number]>("delete from changed where seq <= ?"),
  remove: database.prepare<unknown, [string, number]>("delete from links where key = ? and as_of < ?"),
  add: database.prepare<unknown, [string, string, number]>("insert into links (key, link, as_of) values (?, ?, ?)"),
  trim: database.prepare<unknown, [number]>("delete from links where no <= (select max(no) from links) - ?"),
});

function snapshotIn(
  { database, ...statements }: Opened,
  path: string,
  { linksMax, changesMax }: Required<Pick<LinkSnapshotOptions, "linksMax" | "changesMax">>,
): LinkSnapshot {
  const { link, any, last, changed: changedSeq, note, trimNotes, remove, add, trim } = statements;
  let emptiedAt = performance.now();

  const finalize = (): void => {
    for (const statement of Object.values(statements)) statement.finalize();
  };

  const emptyLog = (): void => {
    if (performance.now() - emptiedAt < LOG_EMPTIED_MS) return;
    emptiedAt = performance.now();
    database.run("pragma wal_checkpoint(truncate)");
  };

  return {
    position: () => last.get()?.seq ?? null,
    find(key) {
      const found = link.get(key);
      return found === null ? undefined : (JSON.parse(found.link) as KnownLink);
    },
    isEmpty: () => any.get() === null,
    changedAt(key) {
      const known = last.get();
      return known === null ? null : (changedSeq.get(key)?.seq ?? known.changed_from);
    },
    update({ links, changed, position }) {
      database.transaction(() => {
        const from = changed === null ? position : (last.get()?.changed_from ?? position);
        const changedFrom = Math.max(from, position - changesMax);
        trimNotes.run(changedFrom);
        if (changed === null) database.run("delete from links");
        for (const [key, seq] of changed ?? []) {
          remove.run(key, seq);
          note.run(key, seq);
        }
        for (const [key, row, asOf] of links) {
          remove.run(key, Number.POSITIVE_INFINITY);
          add.run(key, JSON.stringify(row), asOf);
        }
        trim.run(linksMax);
        database.run("delete from position");
        database.run("insert into position (seq, changed_from) values (?, ?)", [position, changedFrom]);
      })();
      emptyLog();
    },
    forget(keys, seq) {
      if (keys === null) database.run("delete from links");
      else if ((last.get()?.seq ?? 0) < seq) for (const key of keys) remove.run(key, seq);
    },
    close() {
      finalize();
      database.run("pragma wal_checkpoint(truncate)");
      database.close();
    },
    discard() {
      try {
        finalize();
        database.close();
      } finally {
        removeDatabase(path);
      }
    },
  };
}

function removeDatabase(path: string): void {
  for (const suffix of ["", "-wal", "-shm"]) rmSync(`${path}${suffix}`, { force: true });
}
