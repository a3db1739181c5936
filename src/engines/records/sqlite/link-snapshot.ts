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
// Another format gets another number; a file with an unknown one is replaced.
export const FORMAT = 3;
// Deleted links may be in the log until then.
const LOG_EMPTIED_MS = 60_000;

const CHANGED_SCHEMA = `
create table changed (slug text primary key, seq integer not null) without rowid;
create index changed_by_seq on changed (seq);
`;
const SCHEMA = `
create table links (no integer primary key, slug text not null unique, link text not null, as_of integer not null);
create table position (seq integer not null, changed_from integer not null);
${CHANGED_SCHEMA}`;
// Of each link it was only known that it includes the changes up to the position.
const FROM_FORMAT_2 = "alter table links add column as_of integer not null default 0;";
// It lacked the changes. Of those up to its position, none can be told apart.
const FROM_FORMAT_1 = `
alter table position add column changed_from integer not null default 0;
update position set changed_from = seq;
${CHANGED_SCHEMA}
${FROM_FORMAT_2}`;

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
    if (format !== FORMAT) {
      const toFormat = { 0: SCHEMA, 1: FROM_FORMAT_1, 2: FROM_FORMAT_2 }[format];
      if (!toFormat) throw Object.assign(new Error("another format"), { code: "SQLITE_NOTADB" });
      database.transaction(() => database.run(`${toFormat} pragma user_version = ${FORMAT};`))();
    }
    // What a power loss takes can be looked up again.
    database.run("pragma synchronous = normal");
    return { database, ...prepare(database) };
  } catch (error) {
    database.close();
    throw error;
  }
}

const prepare = (database: Database) => ({
  link: database.prepare<{ link: string }, [string]>("select link from links where slug = ?"),
  any: database.prepare<{ no: number }, []>("select no from links limit 1"),
  last: database.prepare<{ seq: number; changed_from: number }, []>("select seq, changed_from from position"),
  changed: database.prepare<{ seq: number }, [string]>("select seq from changed where slug = ?"),
  note: database.prepare<unknown, [string, number]>("insert or replace into changed (slug, seq) values (?, ?)"),
  trimNotes: database.prepare<unknown, [number]>("delete from changed where seq <= ?"),
  remove: database.prepare<unknown, [string, number]>("delete from links where slug = ? and as_of < ?"),
  add: database.prepare<unknown, [string, string, number]>("insert into links (slug, link, as_of) values (?, ?, ?)"),
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
    find(slug) {
      const found = link.get(slug);
      return found === null ? undefined : (JSON.parse(found.link) as KnownLink);
    },
    isEmpty: () => any.get() === null,
    changedAt(slug) {
      const known = last.get();
      return known === null ? null : (changedSeq.get(slug)?.seq ?? known.changed_from);
    },
    update({ links, changed, position }) {
      database.transaction(() => {
        const from = changed === null ? position : (last.get()?.changed_from ?? position);
        const changedFrom = Math.max(from, position - changesMax);
        trimNotes.run(changedFrom);
        if (changed === null) database.run("delete from links");
        for (const [slug, seq] of changed ?? []) {
          remove.run(slug, seq);
          note.run(slug, seq);
        }
        for (const [slug, row, asOf] of links) {
          remove.run(slug, Number.POSITIVE_INFINITY);
          add.run(slug, JSON.stringify(row), asOf);
        }
        trim.run(linksMax);
        database.run("delete from position");
        database.run("insert into position (seq, changed_from) values (?, ?)", [position, changedFrom]);
      })();
      emptyLog();
    },
    forget(slugs, seq) {
      if (slugs === null) database.run("delete from links");
      else if ((last.get()?.seq ?? 0) < seq) for (const slug of slugs) remove.run(slug, seq);
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
