import { Database } from "bun:sqlite";
import { afterEach, beforeEach, expect, test } from "bun:test";
import { existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { type DataPaths, dataPaths } from "#config/data-paths.ts";
import { loadConfig } from "#config/load-config.ts";
import { migrations } from "#engines/records/migrations/all.ts";
import { prepareRecords } from "./prepare-records.ts";
import { adoptSecretKey, assertSecretKey } from "./secret-key.ts";

const KEY = "a secret key for tests, long enough";
const OTHER_KEY = "another secret key for tests, long enough";

let paths: DataPaths;
beforeEach(() => {
  paths = dataPaths(join(mkdtempSync(join(tmpdir(), "kurz-key-")), "data"));
  mkdirSync(paths.dataDir);
});
afterEach(() => rmSync(join(paths.dataDir, ".."), { recursive: true }));

const configWith = (key: string | null) =>
  loadConfig({ KURZ_DATA_DIR: paths.dataDir, ...(key !== null && { KURZ_SECRET_KEY: key }) });

async function start(key: string | null = null): Promise<void> {
  await prepareRecords(configWith(key));
  await assertSecretKey(configWith(key));
}

test("the key of the first start is accepted at every later one, and no other is", async () => {
  await start(KEY);
  await start(KEY);
  await expect(start(OTHER_KEY)).rejects.toThrow("KURZ_SECRET_KEY isn't the key that the stored secrets");
  await start(KEY);
});

test("a generated key that was replaced or deleted is noticed, and no new one is made", async () => {
  await start();
  const key = readFileSync(paths.secretKey, "utf8");
  writeFileSync(paths.secretKey, OTHER_KEY);
  await expect(start()).rejects.toThrow(`${paths.secretKey} isn't the key that the stored secrets`);
  rmSync(paths.secretKey);
  await expect(start()).rejects.toThrow(`${paths.secretKey} is missing; restore it from a backup`);
  expect(existsSync(paths.secretKey)).toBe(false);
  // It makes no difference where the same key comes from.
  await start(key.trim());
  writeFileSync(paths.secretKey, key);
  await start();
});

test("the records don't contain the key, and too little of it to find it", async () => {
  await start(KEY);
  const database = new Database(paths.records, { readonly: true });
  const rows = database.query("select * from secret_key").all();
  database.close();
  expect(rows).toEqual([{ no: 1, fingerprint: expect.stringMatching(/^[0-9a-f]{16}$/) }]);
});

test("records of a release that didn't know fingerprints get one at the next start", async () => {
  const database = new Database(paths.records);
  database.run("create table migrations (id integer primary key, name text not null, applied_at integer not null)");
  const before = migrations.slice(
    0,
    migrations.findIndex(({ name }) => name === "secret key"),
  );
  expect(before.length).toBeGreaterThan(0);
  for (const { id, name, sqlite } of before) {
    database.run(sqlite);
    database.run("insert into migrations (id, name, applied_at) values (?, ?, 0)", [id, name]);
  }
  database.close();
  await start(OTHER_KEY);
  await expect(start(KEY)).rejects.toThrow("KURZ_SECRET_KEY");
});

test("another key can be adopted on purpose", async () => {
  await start(KEY);
  expect(await adoptSecretKey(configWith(KEY))).toBe(false);
  expect(await adoptSecretKey(configWith(OTHER_KEY))).toBe(true);
  await start(OTHER_KEY);
  await expect(start(KEY)).rejects.toThrow("KURZ_SECRET_KEY");
});
