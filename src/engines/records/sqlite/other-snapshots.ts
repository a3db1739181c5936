import type { Database, Statement } from "bun:sqlite";
import { existsSync, readdirSync, statSync } from "node:fs";
import { basename, dirname, join } from "node:path";
import type { KnownLink, OtherSnapshots } from "../link-snapshot.ts";
import { openSqlite } from "./connection.ts";
import { FORMAT } from "./link-snapshot.ts";

interface Answer {
  readonly link: string | null;
  /** The change that the link includes at least. */
  readonly seq: number;
  /** As `LinkSnapshot.changedAt`. */
  readonly changed_at: number;
}

interface OpenFile {
  readonly database: Database;
  /** Tells whether it was replaced since. */
  readonly inode: number;
  readonly find: Statement<Answer, [string]>;
  readonly any: Statement<{ no: number }, []>;
}

const NAME = /^links-\d+\.db$/;
// A process may start, and make its file, at any time.
const LISTED_MS = 1000;
// In one statement, so that all of it is of one moment.
const FIND_SQL = `select l.link, max(p.seq, coalesce(l.as_of, 0)) as seq,
  coalesce((select seq from changed where key = ?1), p.changed_from) as changed_at
  from position p left join links l on l.key = ?1`;

/** The snapshots in the same directory as this one. */
export function openOtherSqliteSnapshots(ownPath: string): OtherSnapshots {
  const directory = dirname(ownPath);
  const own = basename(ownPath);
  let files = new Map<string, OpenFile>();
  let listedAt = Number.NEGATIVE_INFINITY;

  const list = (): void => {
    if (performance.now() - listedAt < LISTED_MS) return;
    listedAt = performance.now();
    const before = files;
    files = new Map();
    // The directory is gone if an operator deleted it; the links in it must not be used then.
    const names = existsSync(directory) ? readdirSync(directory) : [];
    for (const name of names) {
      if (name === own || !NAME.test(name)) continue;
      const path = join(directory, name);
      const known = before.get(path);
      const file = known && known.inode === inodeOf(path) ? known : openFile(path);
      if (file) files.set(path, file);
    }
    for (const [path, file] of before) if (files.get(path) !== file) closeFile(file);
  };

  const ask = <T>(question: (file: OpenFile) => T): T[] => {
    list();
    const answers: T[] = [];
    for (const [path, file] of files) {
      try {
        answers.push(question(file));
      } catch {
        // The process that writes it notices, too, and says so.
        files.delete(path);
        closeFile(file);
      }
    }
    return answers;
  };

  return {
    find(key, notBefore) {
      const answers = ask(({ find }) => find.get(key)).filter((answer) => answer !== null);
      // A file that lags behind, as of a process that is gone, still has what the others know to have changed.
      const asOf = Math.max(notBefore, ...answers.map(({ changed_at }) => changed_at));
      const newest = answers
        .filter(({ link, seq }) => link !== null && seq >= asOf)
        .toSorted((a, b) => b.seq - a.seq)[0];
      return newest?.link ? (JSON.parse(newest.link) as KnownLink) : undefined;
    },
    isEmpty: () => ask(({ any }) => any.get()).every((row) => row === null),
    close() {
      for (const file of files.values()) closeFile(file);
      files.clear();
      listedAt = Number.NEGATIVE_INFINITY;
    },
  };
}

/** Nothing if it can't be used, as one that is being made. */
function openFile(path: string): OpenFile | undefined {
  const inode = inodeOf(path);
  if (inode === undefined) return undefined;
  let database: Database | undefined;
  try {
    database = openSqlite({ path, readonly: true });
    const { user_version: format } = database.query("pragma user_version").get() as { user_version: number };
    if (format !== FORMAT) throw new Error("another format");
    const any = database.prepare<{ no: number }, []>("select no from links limit 1");
    return { database, inode, find: database.prepare<Answer, [string]>(FIND_SQL), any };
  } catch {
    database?.close();
    return undefined;
  }
}

function closeFile({ database, find, any }: OpenFile): void {
  find.finalize();
  any.finalize();
  database.close();
}

const inodeOf = (path: string): number | undefined => statSync(path, { throwIfNoEntry: false })?.ino;
