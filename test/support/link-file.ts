import type { Database } from "bun:sqlite";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { dataPaths } from "#config/data-paths.ts";
import type { RedirectRow } from "#engines/records/redirect-reader.ts";
import { openSqlite } from "#engines/records/sqlite/connection.ts";
import { migrateSqlite } from "#engines/records/sqlite/migrate.ts";
import { HOSTS_KEY } from "#kernel/link-key.ts";

export type TestLink = Partial<Omit<RedirectRow, "no" | "account_no" | "suspended">> & { readonly slug: string };

/** Where visitors go who don't find a link. */
export interface DomainAddresses {
  readonly root?: string;
  readonly notFound?: string;
  readonly expired?: string;
}

export interface LinkFile {
  readonly dataDir: string;
  readonly path: string;
  /** Each of these is one commit with an entry in the change log. */
  add(link: TestLink): void;
  set(slug: string, change: Partial<Pick<RedirectRow, "state" | "expires_at" | "blocked_reason">>): void;
  remove(slug: string): void;
  setSuspended(isSuspended: boolean): void;
  /** A verified domain; links on it have slugs such as `1/abc`. */
  addDomain(no: number, name: string, addresses?: DomainAddresses): void;
  prune(keep: number): void;
  close(): void;
}

/** A real records file in its own data directory, written to directly. */
export function openLinkFile(): LinkFile {
  const dataDir = mkdtempSync(join(tmpdir(), "kurz-test-"));
  const { records: path } = dataPaths(dataDir);
  migrateSqlite(path);
  const database = openSqlite({ path, readonly: false });
  // The kernel keeps what a killed process wrote, which is enough for tests.
  database.run("pragma synchronous = off");
  database.run("insert into accounts (no, id, name, slug, created_at) values (1, 'acc_test', 'Test', 'test', '')");
  const commit = (slug: string | null, write: () => void): void =>
    database.transaction(() => {
      write();
      database.run("insert into changes (key, at) values (?, 0)", [slug]);
    })();
  return {
    dataDir,
    path,
    add: (link) => commit(link.slug, () => insertLink(database, link)),
    set: (slug, change) =>
      commit(slug, () => {
        for (const [column, value] of Object.entries(change)) {
          database.run(`update links set ${column} = ? where key = ?`, [value, slug]);
        }
      }),
    remove: (slug) =>
      commit(slug, () => {
        database.run("delete from links where key = ?", [slug]);
        database.run("insert into tombstones (key, deleted_at) values (?, 0)", [slug]);
      }),
    setSuspended: (isSuspended) =>
      commit(null, () => {
        database.run("update accounts set suspended_at = ?", [isSuspended ? 1 : null]);
      }),
    addDomain: (no, name, { root, notFound, expired } = {}) =>
      commit(HOSTS_KEY, () => {
        database.run(
          `insert into domains (no, id, account_no, name, status, token, is_default, root_redirect_url,
            not_found_redirect_url, expired_redirect_url, version, created_at, updated_at)
            values (?, ?, 1, ?, 'verified', '', 0, ?, ?, ?, 1, 0, 0)`,
          [no, `dom_${no}`, name, root ?? null, notFound ?? null, expired ?? null],
        );
      }),
    prune(keep) {
      database.run("delete from changes where seq <= (select max(seq) from changes) - ?", [keep]);
    },
    close() {
      database.close();
      rmSync(dataDir, { recursive: true });
    },
  };
}

function insertLink(database: Database, link: TestLink): void {
  database.run(
    `insert into links (id, account_no, key, destination_url, title, tags, utm, state, expires_at, blocked_reason,
      settings, password_hash, created_via, version, created_at, updated_at, search_text)
      values (?, 1, ?, ?, ?, '[]', ?, ?, ?, ?, ?, ?, 'api', 1, 0, 0, '')`,
    [
      `lnk_${link.slug}`,
      link.slug,
      link.destination_url ?? "https://example.com/",
      link.title ?? null,
      JSON.stringify(link.utm ?? {}),
      link.state ?? "active",
      link.expires_at ?? null,
      link.blocked_reason ?? null,
      link.settings ? JSON.stringify(link.settings) : null,
      link.guarded ? "a hash" : null,
    ],
  );
}
