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

const noted = (): Record<string, unknown> => JSON.parse(readFileSync(paths.moved, "utf8"));

async function run(args: readonly string[], env: Readonly<Record<string, string>>): Promise<void> {
  expect(await kurz(args, { env })).toMatchObject({ exitCode: 0 });
}

async function refusalOf(args: readonly string[], env: Readonly<Record<string, string>>): Promise<string> {
  const { exitCode, out, err } = await kurz(args, { env });
  expect([exitCode, out]).toEqual([1, ""]);
  expect(err.trimEnd()).not.toContain("\n");
  return err;
}

test("a command on the old records makes another move necessary, as a server does; a diagnosis doesn't", async () => {
  await run(["move", "--to", file], own);
  await run(["doctor"], own);
  await run(["migrate"], own);
  expect(noted()).toMatchObject({ is_complete: true });

  const { moved_at } = noted();
  await run(["clicks", "ingest"], own);
  expect(noted()).toMatchObject({ is_complete: false, used_since: null });
  for (const command of [["accounts", "list"], ["migrate"]]) {
    const refusal = await refusalOf(command, moved);
    expect(refusal).toContain(`the records in ${dataDir} aren't all in PostgreSQL at`);
    expect(refusal).toContain(`or, to give up what has changed since ${moved_at}, delete ${paths.moved}`);
  }
  // Moving only clicks would be the switch, too.
  const clicksAlone = join(dirname(dataDir), "clicks.env");
  writeFileSync(clicksAlone, "CLICKHOUSE_URL=http://127.0.0.1:1/kurz\n");
  expect(await refusalOf(["move", "--to", clicksAlone], moved)).toContain("aren't all in PostgreSQL at");

  await run(["move", "--to", file], own);
  expect(noted()).toMatchObject({ is_complete: true, used_since: null });
});

test("a command on the moved records makes the old ones outdated, as a server does; a diagnosis doesn't", async () => {
  expect((await kurz(["doctor"], { env: moved })).out).toContain("every account's count is correct");
  expect(noted()).toMatchObject({ used_since: null });

  // Deletes from the journal what it stores.
  await run(["clicks", "ingest"], moved);
  expect(noted()).toMatchObject({ used_since: expect.any(String) });
  expect(await refusalOf(["accounts", "list"], own)).toContain("were moved to PostgreSQL at");
  await run(["accounts", "list"], moved);
});
