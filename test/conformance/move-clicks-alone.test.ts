import { afterAll, beforeAll, expect, setDefaultTimeout, test } from "bun:test";
import { existsSync, rmSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { dataPaths } from "#config/data-paths.ts";
import { lockDataDirectory } from "#runtime/data-lock.ts";
import { kurzHere, newDataDir } from "#test/support/kurz-command.ts";
import { sharedPostgres } from "#test/support/postgres-server.ts";

setDefaultTimeout(600_000);

const KURZ_SECRET_KEY = "a secret key that is long enough";
const dataDir = newDataDir();
const paths = dataPaths(dataDir);
const kurz = kurzHere(dataDir);
const file = join(dirname(dataDir), "next.env");
let own: { readonly DATABASE_URL: string; readonly KURZ_SECRET_KEY: string };
let empty: typeof own;

beforeAll(async () => {
  const postgres = await sharedPostgres();
  own = { KURZ_SECRET_KEY, DATABASE_URL: postgres.urlOf(await postgres.newDatabase()) };
  empty = { KURZ_SECRET_KEY, DATABASE_URL: postgres.urlOf(await postgres.newDatabase()) };
  writeFileSync(file, "CLICKHOUSE_URL=http://127.0.0.1:1/kurz\n");
});
afterAll(() => rmSync(dirname(dataDir), { recursive: true }));

async function refusalOf(env: Readonly<Record<string, string>>): Promise<string> {
  const { exitCode, out, err } = await kurz(["move", "--to", file], { env });
  expect([exitCode, out]).toEqual([1, ""]);
  expect(err.trimEnd()).not.toContain("\n");
  return err;
}

test("clicks of a deployment on PostgreSQL are only moved when all of them can be", async () => {
  expect(await kurz(["migrate"], { env: own })).toMatchObject({ exitCode: 0 });
  expect(await refusalOf(own)).toContain(`there are no clicks in ${dataDir}; set KURZ_DATA_DIR`);
  const generate = ["clicks", "generate", "--links", "2", "--clicks", "20", "--days", "2"];
  expect(await kurz(generate, { env: own })).toMatchObject({ exitCode: 0 });

  expect(await refusalOf(empty)).toContain("the database at DATABASE_URL has no records");
  const lock = lockDataDirectory(paths, { purpose: "server" });
  expect(await refusalOf(own)).toContain("the server is running and has the clicks to itself; stop it");
  lock.release();
  // What is left is the connection itself.
  expect(await refusalOf(own)).toContain('ClickHouse at 127.0.0.1:1, database "kurz"');
  expect(existsSync(paths.moved)).toBe(false);
});
