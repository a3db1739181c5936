import { Database } from "bun:sqlite";
import { afterEach, beforeEach, expect, setDefaultTimeout, test } from "bun:test";
import {
  cpSync,
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  truncateSync,
  writeFileSync,
} from "node:fs";
import { dirname, join } from "node:path";
import { nextEpoch } from "#clicks/journal/epochs.ts";
import { dataPaths } from "#config/data-paths.ts";
import { NEWEST_SCHEMA } from "#engines/records/newest-schema.ts";
import { findSchemaVersion } from "#engines/records/schema-version.ts";
import { migrateSqlite } from "#engines/records/sqlite/migrate.ts";
import { lockDataDirectory } from "#runtime/data-lock.ts";
import { kurzHere, newDataDir } from "#test/support/kurz-command.ts";
import { type Manifest, readManifest } from "./manifest.ts";

setDefaultTimeout(600_000);

let dataDir: string;
let root: string;
let backup: string;
let restored: string;

beforeEach(async () => {
  dataDir = newDataDir();
  root = dirname(dataDir);
  backup = join(root, "backups", "first");
  restored = join(root, "restored");
  migrateSqlite(dataPaths(dataDir).records);
  await succeed(dataDir, ["accounts", "create", "--email", "ada@example.com", "--name", "Acme"]);
  nextEpoch(dataPaths(dataDir).epochs, 7);
});
afterEach(() => rmSync(root, { recursive: true }));

const run = (directory: string, args: readonly string[], env: Record<string, string> = {}) =>
  kurzHere(directory)(args, { input: "correct horse battery\n", env });

async function succeed(directory: string, args: readonly string[], env: Record<string, string> = {}): Promise<string> {
  const { exitCode, out, err } = await run(directory, args, env);
  if (exitCode !== 0) throw new Error(err);
  return out;
}

const take = (env: Record<string, string> = {}) => succeed(dataDir, ["backup", backup], env);

/** What a refused restore says; it must have left the directory without data. */
async function refusal(): Promise<string> {
  const { exitCode, err } = await run(restored, ["restore", backup]);
  expect(exitCode).toBe(1);
  const left = existsSync(restored) ? readdirSync(restored) : [];
  expect(left.filter((name) => name !== "lock.db" && name !== "run")).toEqual([]);
  return err;
}

function changeManifest(change: (manifest: Manifest) => object): void {
  const manifest = readManifest(backup);
  writeFileSync(join(backup, "manifest.json"), JSON.stringify({ ...manifest, ...change(manifest) }));
}

test("a backup restores the same accounts and key, and only its owner can read it", async () => {
  const accounts = await succeed(dataDir, ["accounts", "list"]);
  const taken = JSON.parse(await succeed(dataDir, ["backup", backup, "--json"])) as { bytes: number };
  expect(taken).toMatchObject({ directory: backup, secret_key: "included", files: 4 });
  expect(taken.bytes).toBeGreaterThan(100_000);
  const report = JSON.parse(await succeed(restored, ["restore", backup, "--json"])) as object;
  expect(report).toMatchObject({ data_dir: restored, links: 0, clicks: 0, needs_secret_key: false });
  expect(await succeed(restored, ["accounts", "list"])).toBe(accounts);
  expect(readFileSync(join(restored, "secret.key"), "utf8")).toBe(readFileSync(join(dataDir, "secret.key"), "utf8"));
  for (const name of ["data/secret.key", "data/epochs", "manifest.json"]) {
    expect((statSync(join(backup, name)).mode & 0o777).toString(8)).toBe("600");
  }
  expect((statSync(backup).mode & 0o777).toString(8)).toBe("700");
  const { healthy } = JSON.parse(await succeed(restored, ["doctor", "--json"])) as { healthy: boolean };
  expect(healthy).toBeTrue();
});

test("a restore never reuses an epoch that the server used after the backup", async () => {
  await take();
  const usedLater = nextEpoch(join(dataDir, "epochs"), 1024);
  await succeed(restored, ["restore", backup]);
  expect(nextEpoch(join(restored, "epochs"))).toBeGreaterThan(usedLater + 1024);
});

test("visitor salts are not in a backup", async () => {
  writeFileSync(join(dataDir, "salts.json"), '{"2026-01-01":"00"}');
  await take();
  expect(readManifest(backup).files.map(({ path }) => path)).toEqual([
    "data/clicks.duckdb",
    "data/epochs",
    "data/records.db",
    "data/secret.key",
  ]);
});

test("a key from the environment is left out, and both commands say so", async () => {
  const env = { KURZ_SECRET_KEY: "a key of the operator's with enough characters" };
  expect(await take(env)).toContain("It doesn't include the secret key");
  expect(existsSync(join(backup, "data", "secret.key"))).toBeFalse();
  expect(await succeed(restored, ["restore", backup])).toContain("set KURZ_SECRET_KEY before you start the server");
});

test("the operator's plans and block list are kept with the data", async () => {
  const plans = join(import.meta.dir, "..", "..", "test", "support", "plans.json");
  const blocklist = join(root, "blocked.txt");
  writeFileSync(blocklist, "evil.example\n");
  await take({ KURZ_PLANS_FILE: plans, KURZ_BLOCKLIST_FILE: blocklist });
  expect(readFileSync(join(backup, "settings", "plans.json"), "utf8")).toBe(readFileSync(plans, "utf8"));
  expect(readFileSync(join(backup, "settings", "blocklist.txt"), "utf8")).toBe("evil.example\n");
  await succeed(restored, ["restore", backup]);
  expect(existsSync(join(restored, "settings"))).toBeFalse();
});

test("a backup never overwrites anything, and a failed one leaves nothing behind", async () => {
  await take();
  expect((await run(dataDir, ["backup", backup])).err).toContain("already exists");
  writeFileSync(join(root, "file"), "");
  expect((await run(dataDir, ["backup", join(root, "file")])).err).toContain("already exists");
  const missing = { KURZ_BLOCKLIST_FILE: join(root, "missing.txt") };
  const second = join(root, "backups", "second");
  expect((await run(dataDir, ["backup", second], missing)).exitCode).toBe(1);
  expect(readdirSync(join(root, "backups"))).toEqual(["first"]);
  mkdirSync(second);
  await succeed(dataDir, ["backup", second]);
});

test("a directory without data has nothing to back up", async () => {
  const { exitCode, err } = await run(join(root, "nowhere"), ["backup", backup]);
  expect({ exitCode, err }).toMatchObject({ exitCode: 1, err: expect.stringContaining("there is no Kurz data") });
  expect(existsSync(backup)).toBeFalse();
});

test("a backup leaves the schema of the data as it is", async () => {
  const records = new Database(join(dataDir, "records.db"));
  records.run("delete from migrations where id = ?", [NEWEST_SCHEMA]);
  records.close();
  const before = findSchemaVersion(join(dataDir, "records.db")) ?? 0;
  expect(before).toBeLessThan(NEWEST_SCHEMA);
  await take();
  expect(findSchemaVersion(join(dataDir, "records.db"))).toBe(before);
  expect(readManifest(backup).schema).toBe(before);
});

test("a backup of a newer schema or in a newer format is refused", async () => {
  await take();
  changeManifest(() => ({ schema: NEWEST_SCHEMA + 1 }));
  expect(await refusal()).toContain("created by a newer version of Kurz");
  changeManifest(() => ({ schema: NEWEST_SCHEMA, format: 2 }));
  expect(await refusal()).toContain("created by a newer version of Kurz");
});

test("a file that was changed, shortened, removed or replaced by a link is noticed", async () => {
  await take();
  const whole = join(root, "whole");
  cpSync(backup, whole, { recursive: true });
  const records = join(backup, "data", "records.db");
  const { size } = statSync(records);
  const damages: (() => void)[] = [
    () => writeFileSync(records, readFileSync(records).fill(7, size - 1)),
    () => truncateSync(records, size - 1),
    () => rmSync(records),
    () => {
      rmSync(records);
      Bun.spawnSync(["ln", "-s", join(whole, "data", "records.db"), records]);
    },
    () => rmSync(join(backup, "data", "epochs")),
  ];
  for (const damage of damages) {
    damage();
    expect(await refusal()).toMatch(/is damaged: data\/|is incomplete: data\//);
    rmSync(backup, { recursive: true });
    cpSync(whole, backup, { recursive: true });
  }
  await succeed(restored, ["restore", backup]);
});

test("a manifest that is missing, cut off, incomplete or leads elsewhere is refused", async () => {
  await take();
  const manifest = readFileSync(join(backup, "manifest.json"), "utf8");
  const elsewhere = manifest.replace("data/epochs", "data/../../epochs");
  for (const text of ["", manifest.slice(0, 300), "{}", elsewhere]) {
    writeFileSync(join(backup, "manifest.json"), text);
    expect(await refusal()).toContain("is damaged");
  }
  writeFileSync(join(backup, "manifest.json"), manifest);
  changeManifest(({ files }) => ({ files: files.filter(({ path }) => path !== "data/clicks.duckdb") }));
  expect(await refusal()).toContain("the backup is incomplete: data/clicks.duckdb");
  rmSync(join(backup, "manifest.json"));
  expect(await refusal()).toContain("there is no complete backup");
});

test("a restore requires a directory without data", async () => {
  await take();
  // A new file system begins with the first; tools of a user whose home this is leave the others.
  for (const name of ["lost+found", ".npm", ".bun"]) mkdirSync(join(restored, name), { recursive: true });
  await succeed(restored, ["restore", backup]);
  const before = readdirSync(restored).sort();
  const { exitCode, err } = await run(restored, ["restore", backup]);
  expect(exitCode).toBe(1);
  expect(err).toContain("is not empty");
  expect(readdirSync(restored).sort()).toEqual(before);
});

test("a restore refuses a directory that is in use", async () => {
  await take();
  const lock = lockDataDirectory(dataPaths(restored), { purpose: "server" });
  expect((await run(restored, ["restore", backup])).err).toContain("is in use by a running server");
  lock.release();
  await succeed(restored, ["restore", backup]);
});

test("what an interrupted restore left behind is not used as data", async () => {
  await take();
  await succeed(restored, ["restore", backup]);
  mkdirSync(join(restored, "restoring"));
  for (const args of [
    ["accounts", "list"],
    ["backup", join(root, "other")],
  ]) {
    expect((await run(restored, args)).err).toContain("was interrupted");
  }
  expect((await run(restored, ["restore", backup])).err).toContain("is not empty");
});
