import { afterAll, beforeAll, expect, test } from "bun:test";
import { rmSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { kurzHere, newDataDir } from "#test/support/kurz-command.ts";

const KEY = "a secret key that is long enough";
const ADDRESS = "DATABASE_URL=postgres://kurz:secret-word@127.0.0.1:1/kurz";
const dataDir = newDataDir();
const kurz = kurzHere(dataDir);
const file = join(dirname(dataDir), "next.env");

beforeAll(async () => {
  // Any data will do: nothing of it is read before the settings are known to be good.
  const { migrateSqlite } = await import("#engines/records/sqlite/migrate.ts");
  migrateSqlite(join(dataDir, "records.db"));
});
afterAll(() => rmSync(dirname(dataDir), { recursive: true }));

async function refusalOf(settings: string, env: Readonly<Record<string, string>> = {}): Promise<string> {
  writeFileSync(file, settings);
  const { exitCode, out, err } = await kurz(["move", "--to", file], { env });
  expect([exitCode, out]).toEqual([1, ""]);
  expect(err).not.toContain("secret-word");
  return err;
}

test("says what is wrong with the new settings before it connects anywhere", async () => {
  expect(await refusalOf("KURZ_SECRET_KEY=x")).toContain(`with ${file}: KURZ_SECRET_KEY`);
  expect(await refusalOf(`KURZ_SECRET_KEY="${KEY}"`)).toContain("doesn't set DATABASE_URL");
  expect(await refusalOf(ADDRESS)).toContain(`with ${file}: DATABASE_URL needs KURZ_SECRET_KEY`);
  const both = `${ADDRESS}\nKURZ_SECRET_KEY="${KEY}"\n`;
  const elsewhere = `${both}KURZ_DATA_DIR=/elsewhere\n`;
  expect(await refusalOf(elsewhere)).toContain("the journal and the clicks stay in the data directory");
  expect(await refusalOf(elsewhere)).toContain("must be the same, not /elsewhere");
  const server = "CLICKHOUSE_URL=http://127.0.0.1:1/kurz";
  expect(await refusalOf(`${elsewhere}${server}`)).toContain("the journal stays in the data directory");
  const own = { DATABASE_URL: "postgres://kurz:secret-word@127.0.0.1:1/own", KURZ_SECRET_KEY: KEY };
  expect(await refusalOf(both, own)).toContain("unset DATABASE_URL");
  // With records on a server, clicks are what is left to move.
  expect(await refusalOf(`${both}${server}`, own)).toContain(
    "so only clicks can be moved, but the file of --to sets another one",
  );
  const everything = { ...own, CLICKHOUSE_URL: "http://127.0.0.1:1/kurz" };
  expect(await refusalOf("", everything)).toContain("unset CLICKHOUSE_URL, and put it into the file of --to");
  const otherKey = { KURZ_SECRET_KEY: `${KEY}, but another one` };
  expect(await refusalOf(both, otherKey)).toContain("must be the key that the server has now after the move, too");
  // What is left is the connection itself.
  expect(await refusalOf(both)).toContain("PostgreSQL at 127.0.0.1:1 can't be reached");
});
