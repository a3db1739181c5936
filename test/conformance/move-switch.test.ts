import { afterAll, beforeAll, expect, setDefaultTimeout, test } from "bun:test";
import { readFileSync, rmSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { dataPaths } from "#config/data-paths.ts";
import { migrateSqlite } from "#engines/records/sqlite/migrate.ts";
import { kurzHere, newDataDir } from "#test/support/kurz-command.ts";
import { sharedPostgres } from "#test/support/postgres-server.ts";

setDefaultTimeout(600_000);

const own = { KURZ_SECRET_KEY: "a secret key that is long enough" };
const dataDir = newDataDir();
const paths = dataPaths(dataDir);
const kurz = kurzHere(dataDir);
const file = join(dirname(dataDir), "next.env");
let moved: { readonly DATABASE_URL: string; readonly KURZ_SECRET_KEY: string };

beforeAll(async () => {
  const postgres = await sharedPostgres();
  moved = { ...own, DATABASE_URL: postgres.urlOf(await postgres.newDatabase()) };
  writeFileSync(file, `DATABASE_URL="${moved.DATABASE_URL}"\n`);
  migrateSqlite(paths.records);
});
afterAll(() => rmSync(dirname(dataDir), { recursive: true }));

const usedSince = (): unknown => JSON.parse(readFileSync(paths.moved, "utf8")).used_since;

test("a command on the moved records makes the old ones outdated, as a server does; a diagnosis doesn't", async () => {
  expect(await kurz(["move", "--to", file], { env: own })).toMatchObject({ exitCode: 0 });
  expect((await kurz(["doctor"], { env: moved })).out).toContain("every account's count is correct");
  expect(usedSince()).toBeNull();
  // Nothing has changed on the server.
  expect(await kurz(["accounts", "list"], { env: own })).toMatchObject({ exitCode: 0 });
  expect(usedSince()).toBeNull();

  // Deletes from the journal what it stores.
  expect(await kurz(["clicks", "ingest"], { env: moved })).toMatchObject({ exitCode: 0 });
  expect(usedSince()).toEqual(expect.any(String));
  const { exitCode, err } = await kurz(["accounts", "list"], { env: own });
  expect([exitCode, err]).toEqual([1, expect.stringContaining("were moved to PostgreSQL at")]);
});
