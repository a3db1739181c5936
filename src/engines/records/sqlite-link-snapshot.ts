import type { Database } from "bun:sqlite";
import { mkdirSync, rmSync } from "node:fs";
import { dirname } from "node:path";
import { isDamage } from "./damage.ts";
import type { KnownLink, LinkSnapshot } from "./link-snapshot.ts";
import { openSqlite } from "./sqlite-connection.ts";

export interface LinkSnapshotOptions {
  readonly path: string;
  /** The links that were added last are kept. */
  readonly linksMax?: number;
}

// As many as a redirect process caches.
const LINKS_MAX = 500_000;
// Another format gets another number; a file with an unknown one is replaced.
const FORMAT = 1;
// Deleted links may be in the log until then.
const LOG_EMPTIED_MS = 60_000;

const SCHEMA = `
create table links (no integer primary key, slug text not null unique, link text not null);
create table position (seq integer not null);
pragma user_version = ${FORMAT};
`;

/** A damaged or foreign file is replaced by an empty one: it only has copies. */
export function openSqliteLinkSnapshot({ path, linksMax = LINKS_MAX }: LinkSnapshotOptions): LinkSnapshot {
  mkdirSync(dirname(path), { recursive: true, mode: 0o700 });
  let opened: Opened;
  try {
    opened = open(path);
  } catch (error) {
    if (!isDamage(error)) throw error;
    removeDatabase(path);
    opened = open(path);
  }
  return snapshotIn(opened, path, linksMax);
}

type Opened = ReturnType<typeof open>;

function open(path: string) {
  const database = openSqlite({ path, readonly: false });
  try {
    const { user_version: format } = database.query("pragma user_version").get() as { user_version: number };
    if (format !== FORMAT) {
      if (format !== 0) throw Object.assign(new Error("another format"), { code: "SQLITE_NOTADB" });
      database.transaction(() => database.run(SCHEMA))();
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
  last: database.prepare<{ seq: number }, []>("select seq from position"),
  remove: database.prepare<unknown, [string]>("delete from links where slug = ?"),
  add: database.prepare<unknown, [string, string]>("insert into links (slug, link) values (?, ?)"),
  trim: database.prepare<unknown, [number]>("delete from links where no <= (select max(no) from links) - ?"),
});

function snapshotIn(
  { database, link, any, last, remove, add, trim }: Opened,
  path: string,
  linksMax: number,
): LinkSnapshot {
  let emptiedAt = performance.now();

  const drop = (slugs: readonly string[] | null): void => {
    if (slugs === null) database.run("delete from links");
    else for (const slug of slugs) remove.run(slug);
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
    update({ links, changed, position }) {
      database.transaction(() => {
        drop(changed);
        for (const [slug, row] of links) {
          remove.run(slug);
          add.run(slug, JSON.stringify(row));
        }
        trim.run(linksMax);
        database.run("delete from position");
        database.run("insert into position (seq) values (?)", [position]);
      })();
      emptyLog();
    },
    forget: drop,
    close() {
      for (const statement of [link, any, last, remove, add, trim]) statement.finalize();
      database.run("pragma wal_checkpoint(truncate)");
      database.close();
    },
    discard() {
      try {
        for (const statement of [link, any, last, remove, add, trim]) statement.finalize();
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
