import { Database } from "bun:sqlite";
import { afterEach, beforeEach, expect, test } from "bun:test";
import {
  chmodSync,
  closeSync,
  existsSync,
  mkdirSync,
  openSync,
  readFileSync,
  rmSync,
  statSync,
  writeFileSync,
  writeSync,
} from "node:fs";
import { dirname, join } from "node:path";
import { openJournalWriter } from "#clicks/journal/journal-writer.ts";
import { dataPaths } from "#config/data-paths.ts";
import { loadConfig } from "#config/load-config.ts";
import { openDuckDbClicks } from "#engines/clicks/duckdb/duckdb-clicks.ts";
import { migrateSqlite } from "#engines/records/sqlite/migrate.ts";
import { lockDataDirectory } from "#runtime/data-lock.ts";
import { openServices } from "#runtime/services.ts";
import { writeVersion1 } from "#test/conformance/clicks.version-1.ts";
import { kurzHere, newDataDir } from "#test/support/kurz-command.ts";
import { plainClick } from "#test/support/plain-click.ts";
import type { Level } from "./doctor/check.ts";
import { judgeClicks, judgeServerSpace } from "./doctor/clicks.ts";
import { judgeCoordination } from "./doctor/coordination.ts";
import { judgeFreeSpace } from "./doctor/data-directory.ts";
import { judgeJournalSize, judgeLag } from "./doctor/journal.ts";
import { judgeRecordsServer } from "./doctor/records-server.ts";
import { judgeProcesses } from "./doctor/server-processes.ts";
import { doctor } from "./doctor.command.ts";
import { invoke } from "./invoke.ts";

interface Diagnosis {
  readonly healthy: boolean;
  readonly findings: readonly { readonly check: string; readonly level: Level; readonly message: string }[];
}

let dataDir = "";
const paths = () => dataPaths(dataDir);

beforeEach(() => {
  dataDir = newDataDir();
});
afterEach(() => rmSync(dirname(dataDir), { recursive: true }));

async function examine(env: Record<string, string> = {}): Promise<Diagnosis> {
  return (await invoke(loadConfig({ KURZ_DATA_DIR: dataDir, ...env }), doctor, {})) as Diagnosis;
}

const troubles = ({ findings }: Diagnosis) =>
  findings.filter(({ level }) => level !== "ok").map(({ level, check }) => [level, check]);

/** An account with three active links and a paused one. */
async function fillRecords(): Promise<string> {
  migrateSqlite(paths().records);
  const services = await openServices({ config: loadConfig({ KURZ_DATA_DIR: dataDir }), paths: paths() });
  try {
    const password = async () => "correct horse battery";
    const { id } = await services.accounts.create({ name: "Acme", email: "ada@example.com", planId: null, password });
    const plan = services.plans.defaultPlan;
    const caller = { accountNo: 1, accountId: id, plan, actor: "operator", via: "import" } as const;
    for (const path of ["a", "b", "c", "d"]) {
      const body = { destination_url: `https://example.com/${path}`, title: null, tags: [], utm: {}, expires_at: null };
      const link = await services.links.create(caller, body, null);
      if (path === "d" && "id" in link) await services.links.act(caller, link.id, "pause", null);
    }
    return id;
  } finally {
    await services.close();
  }
}

function query<T>(text: string): T[] {
  const database = new Database(paths().records);
  try {
    return database.query(text).all() as T[];
  } finally {
    database.close();
  }
}

test("a server that doesn't accept commands is diagnosed from outside", async () => {
  await fillRecords();
  const lock = lockDataDirectory(paths(), { purpose: "server" });
  const metrics = 'kurz_process_up{process="control"} 0\nkurz_process_up{process="redirect-0"} 1\n';
  const supervisor = Bun.serve({ unix: paths().metricsSocket, fetch: () => new Response(metrics) });
  try {
    const config = loadConfig({ KURZ_DATA_DIR: dataDir, KURZ_REDIRECT_PROCESSES: "1" });
    const diagnosis = (await invoke(config, doctor, {}, { waitMsMax: 100 })) as Diagnosis;
    expect(diagnosis.healthy).toBe(false);
    expect(troubles(diagnosis)).toEqual([
      ["problem", "server"],
      ...["records", "active links", "clicks"].map((check) => ["warning", check]),
    ]);
    const messages = diagnosis.findings.map(({ message }) => message);
    expect(messages).toContainEqual(expect.stringContaining("the API and reports are down"));
    expect(messages).toContainEqual(expect.stringContaining("not checked: the server is running but not accepting"));
  } finally {
    await supervisor.stop(true);
    lock.release();
  }
});

test("accounts that require single sign-on are named if there is none", async () => {
  const account = await fillRecords();
  expect(troubles(await examine())).not.toContainEqual(["warning", "single sign-on"]);
  const { exitCode, err } = await kurzHere(dataDir)(["accounts", "require-sso", account]);
  expect([exitCode, err]).toEqual([0, expect.stringContaining("single sign-on isn't set up (KURZ_OIDC_ISSUER)")]);
  const { healthy, findings } = await examine();
  const found = findings.filter(({ check }) => check === "single sign-on");
  expect(found).toEqual([expect.objectContaining({ level: "warning", message: expect.stringContaining(account) })]);
  expect(healthy).toBe(true);
});

test("a provider that doesn't answer, and an account that doesn't exist, are warnings", async () => {
  await fillRecords();
  const { healthy, findings } = await examine({
    KURZ_OIDC_ISSUER: "http://127.0.0.1:1",
    KURZ_OIDC_CLIENT_ID: "kurz",
    KURZ_OIDC_CLIENT_SECRET: "not to be shown",
    KURZ_OIDC_DOMAINS: "acme.example",
    KURZ_OIDC_ACCOUNT: "acc_none",
  });
  const found = findings.filter(({ check }) => check === "single sign-on");
  expect(found.map(({ level }) => level)).toEqual(["warning", "warning"]);
  expect(found[0]?.message).toContain("nobody can sign in with 127.0.0.1:1");
  expect(found[1]?.message).toContain("acc_none");
  expect(JSON.stringify(findings)).not.toContain("not to be shown");
  expect(healthy).toBe(true);
});

test("roles from a provider that people needn't use are a warning", async () => {
  const account = await fillRecords();
  const env = {
    KURZ_OIDC_ISSUER: "http://127.0.0.1:1",
    KURZ_OIDC_CLIENT_ID: "kurz",
    KURZ_OIDC_CLIENT_SECRET: "not to be shown",
    KURZ_OIDC_DOMAINS: "acme.example",
    KURZ_OIDC_ACCOUNT: account,
  };
  const hint = expect.stringContaining(`kurz accounts require-sso ${account}`);
  const messages = async (roles: string) =>
    (await examine({ ...env, KURZ_OIDC_ROLES: roles })).findings.map(({ message }) => message);
  expect(await messages("")).not.toContainEqual(hint);
  expect(await messages("viewer=everyone")).toContainEqual(hint);
  await kurzHere(dataDir)(["accounts", "require-sso", account]);
  expect(await messages("viewer=everyone")).not.toContainEqual(hint);
});

test("missing records beside other data are diagnosed, not only refused", async () => {
  mkdirSync(dataDir);
  writeFileSync(paths().secretKey, "k".repeat(64), { mode: 0o600 });
  const diagnosis = await examine();
  expect(troubles(diagnosis)).toEqual([["problem", "schema"]]);
  expect(diagnosis.findings.find(({ check }) => check === "server")?.message).toBe("not running");
  expect(existsSync(paths().records)).toBe(false);
});

test("a healthy installation has no problem", async () => {
  await fillRecords();
  const diagnosis = await examine();
  expect(diagnosis.healthy).toBe(true);
  expect(troubles(diagnosis).filter(([, check]) => check !== "data directory")).toEqual([]);
  expect(diagnosis.findings.map(({ check }) => check)).toEqual(
    expect.arrayContaining(["server", "data directory", "secret key", "base URL", "plans", "schema", "records"]),
  );
});

test("a wrong count of active links is found, and repaired on request", async () => {
  const account = await fillRecords();
  query("update accounts set active_links = 7");
  const kurz = kurzHere(dataDir);
  const found = await kurz(["doctor"]);
  expect(found.exitCode).toBe(1);
  expect(found.out).toMatch(new RegExp(`^problem  active links +wrong counts: ${account} counted 7, has 3;`, "m"));
  expect(query("select active_links from accounts")).toEqual([{ active_links: 7 }]);

  const mended = await kurz(["doctor", "--repair"]);
  expect(mended.exitCode).toBe(0);
  expect(mended.out).toMatch(new RegExp(`^ok +active links +repaired: ${account} counted 7, has 3$`, "m"));
  expect(query("select active_links from accounts")).toEqual([{ active_links: 3 }]);
  expect(query("select actor, action, subject, details from audit_log order by no desc limit 1")).toEqual([
    { actor: "operator", action: "account.active_links_repaired", subject: account, details: '{"from":7,"to":3}' },
  ]);
  expect((await examine()).healthy).toBe(true);
});

test("an old schema is reported and left as it is", async () => {
  await fillRecords();
  query("delete from migrations where id = (select max(id) from migrations)");
  const before = query("select * from migrations");
  expect(troubles(await examine())).toContainEqual(["problem", "schema"]);
  expect(query("select * from migrations")).toEqual(before);
});

test("a damaged file is a problem", async () => {
  await fillRecords();
  query("pragma wal_checkpoint(truncate)");
  const [{ rootpage, page_size }] = query<{ rootpage: number; page_size: number }>(
    "select rootpage, page_size from sqlite_schema, pragma_page_size where name = 'links'",
  ) as [{ rootpage: number; page_size: number }];
  const file = openSync(paths().records, "r+");
  writeSync(file, Buffer.alloc(200, 0xa5), 0, 200, (rootpage - 1) * page_size);
  closeSync(file);
  expect(troubles(await examine())).toContainEqual(["problem", "records"]);
});

const clicksFinding = ({ findings }: Diagnosis) => findings.filter(({ check }) => check === "clicks");

test("a clicks file of an earlier release is counted and not migrated", async () => {
  await fillRecords();
  const old = { ...plainClick, at_ms: Date.UTC(2026, 0, 1), account_no: 1, link_no: 1, visitor: null };
  await writeVersion1(paths().clicks, { clicks: [old, old], compacted: [old] });
  const before = readFileSync(paths().clicks);
  expect(clicksFinding(await examine())).toMatchObject([
    { level: "ok", message: "the file can be read and has 3 clicks" },
  ]);
  expect(readFileSync(paths().clicks)).toEqual(before);
});

test("a damaged clicks file is a problem and left as it is", async () => {
  await fillRecords();
  const engine = openDuckDbClicks({ path: paths().clicks, batchDirectory: paths().clickBatches });
  await engine.stats();
  await engine.close();
  expect(clicksFinding(await examine())).toMatchObject([
    { level: "ok", message: "the file can be read and has 0 clicks" },
  ]);
  const file = openSync(paths().clicks, "r+");
  writeSync(file, Buffer.alloc(4096), 0, 4096, 0);
  closeSync(file);
  const before = readFileSync(paths().clicks);
  const diagnosis = await examine();
  expect(diagnosis.healthy).toBe(false);
  expect(clicksFinding(diagnosis)).toMatchObject([
    {
      level: "problem",
      message: expect.stringMatching(/^the file can't be read: .*; if it is damaged, restore it/),
    },
  ]);
  expect(readFileSync(paths().clicks)).toEqual(before);
});

test("a missing clicks file is a problem if links have counted clicks, and is not created", async () => {
  await fillRecords();
  expect(clicksFinding(await examine())).toMatchObject([{ level: "ok" }]);
  query("update link_counts set click_count = 10");
  const diagnosis = await examine();
  expect(diagnosis.healthy).toBe(false);
  expect(clicksFinding(diagnosis)).toMatchObject([
    {
      level: "problem",
      message:
        "the file is missing, but links have counted 40 clicks; restore it from a backup as described in docs/operations.md",
    },
  ]);
  expect(existsSync(paths().clicks)).toBe(false);
});

test("clicks count as missing only if they are neither stored nor in the journal", () => {
  const levelOf = (counted: number, stored: number | null, unreadBytes = 0) =>
    judgeClicks({ counted, stored, unreadBytes, hasSharedLinks: false }).level;
  expect([levelOf(0, null), levelOf(0, 0), levelOf(40, 40), levelOf(40, 90)]).toEqual(["ok", "ok", "ok", "ok"]);
  // What waits in the journal is taken for as many clicks as it may be.
  expect([levelOf(40, null, 800), levelOf(40, 0, 800), levelOf(40, 39, 1)]).toEqual(["ok", "ok", "ok"]);
  expect([levelOf(40, null, 700), levelOf(40, 0, 700), levelOf(1, 0)]).toEqual(["problem", "problem", "problem"]);
  expect(judgeClicks({ counted: 20_061, stored: 1, unreadBytes: 0, hasSharedLinks: false })).toEqual({
    level: "warning",
    message: "too few: 1 in reports, 20061 counted by links; a backup may have the others",
  });
});

test("on one of several nodes nobody is told to restore what other nodes have", () => {
  for (const stored of [null, 0, 3]) {
    const { level, message } = judgeClicks({ counted: 20_010, stored, unreadBytes: 0, hasSharedLinks: true });
    expect(level).toBe("warning");
    expect(message).toContain("CLICKHOUSE_URL");
    expect(message).not.toMatch(/restore|backup/);
  }
  expect(judgeClicks({ counted: 3, stored: 3, unreadBytes: 0, hasSharedLinks: true }).level).toBe("ok");
});

test("a secret key that others can read is a problem", async () => {
  await fillRecords();
  chmodSync(paths().secretKey, 0o640);
  expect(troubles(await examine())).toContainEqual(["problem", "secret key"]);
  expect(statSync(paths().secretKey).mode & 0o777).toBe(0o640);
});

test("invalid operator files are problems, and the other checks still run", async () => {
  await fillRecords();
  const plans = join(dirname(dataDir), "plans.json");
  writeFileSync(plans, "{");
  const diagnosis = await examine({ KURZ_PLANS_FILE: plans, KURZ_BLOCKLIST_FILE: join(dataDir, "none.txt") });
  expect(troubles(diagnosis)).toEqual(
    expect.arrayContaining([
      ["problem", "plans"],
      ["problem", "block file"],
    ]),
  );
  expect(diagnosis.findings.map(({ check }) => check)).toContain("schema");
});

test("plain http beyond this machine is a warning, which is not a failure", async () => {
  migrateSqlite(paths().records);
  const diagnosis = await examine({ KURZ_BASE_URL: "http://s.example" });
  expect(troubles(diagnosis)).toContainEqual(["warning", "base URL"]);
  expect(diagnosis.healthy).toBe(true);
  expect(doctor.exitCode(diagnosis)).toBe(0);
});

test("the wrong directory is reported, and nothing is created there", async () => {
  await expect(examine()).rejects.toThrow(`there is no Kurz data in ${dataDir}; set KURZ_DATA_DIR`);
  expect(existsSync(dataDir)).toBe(false);
});

test("little free space is a warning, almost none a problem", () => {
  expect(judgeFreeSpace(5 * 1024 ** 3)).toEqual({ level: "ok", message: "5.0 GiB free" });
  expect(judgeFreeSpace(500 * 1024 ** 2)).toEqual({ level: "warning", message: "only 500 MiB free" });
  expect(judgeFreeSpace(0)).toEqual({ level: "problem", message: "only 0 bytes free" });
});

test("clicks that wait for the next start are reported per consumer, and quarantined files too", async () => {
  await fillRecords();
  const writer = openJournalWriter({
    directory: paths().journal,
    node: "local",
    writer: 0,
    epoch: 1,
    durability: "os",
    bytesMax: 1 << 20,
    onLoss: () => {},
  });
  await writer.append(`${Date.now() - 120_000}\t1\t1\t0\n`);
  await writer.close();
  mkdirSync(join(paths().journal, "quarantine"));
  writeFileSync(join(paths().journal, "quarantine", "local-000-0000000001-00000007.log"), "?");
  query("update link_counts set click_count = 1 where link_no = 1");
  const { findings, healthy } = await examine();
  expect(clicksFinding({ findings, healthy })).toMatchObject([{ level: "ok" }]);
  const told = findings.filter(({ check }) => ["journal", "journal files", "lost clicks"].includes(check));
  expect(told.map(({ level, message }) => `${level}: ${message}`)).toEqual([
    expect.stringMatching(/^ok: \d+ bytes of at most 8\.0 GiB$/),
    expect.stringMatching(/^ok: reports: 2 min behind, \d+ bytes to ingest at the next start$/),
    expect.stringMatching(/^ok: link counts: 2 min behind, \d+ bytes to ingest at the next start$/),
    expect.stringMatching(
      /^warning: 1 damaged or foreign file was moved to \S+quarantine \(local-000-0000000001-00000007\.log\);/,
    ),
  ]);
  expect(healthy).toBe(true);
  const entry = join(paths().journal, "local-000-0000000001-00000009.log");
  mkdirSync(entry);
  const worse = await examine();
  expect(worse.healthy).toBe(false);
  expect(worse.findings).toContainEqual({
    check: "journal files",
    level: "problem",
    message: `${entry} is not a segment: it is not a file; move it away`,
  });
});

test("a server whose links or API are down is a problem, one with too few redirect processes a warning", () => {
  const levels = (ready: readonly string[]) =>
    judgeProcesses(
      "running",
      ["control", "redirect-0", "redirect-1"].map((name) => ({ name, isReady: ready.includes(name) })),
      { redirectProcesses: 2 },
    ).map(({ level, message }) => `${level} ${message}`);
  expect(levels(["control", "redirect-0", "redirect-1"])).toEqual(["ok running"]);
  expect(levels(["control", "redirect-1"])).toEqual([
    "warning running: only 1 of 2 redirect processes are serving; see the log",
  ]);
  expect(levels(["control"])).toEqual([
    "problem running: no redirect process is serving, so links are down; see the log",
  ]);
  expect(levels([]).map((text) => text.split(" ")[0])).toEqual(["problem", "problem"]);
});

test("a journal that fills up is a warning, a full one a problem", () => {
  expect(judgeJournalSize(400, 1000)).toEqual({ level: "ok", message: "400 bytes of at most 1000 bytes" });
  expect(judgeJournalSize(500, 1000).level).toBe("warning");
  expect(judgeJournalSize(1000, 1000).level).toBe("problem");
});

test("a reader that is a minute behind is a warning while the server runs", () => {
  const lag = { bytes: 2048, oldestAtMs: 0 };
  expect(judgeLag("reports", lag, { isServing: true, now: 2000 }).level).toBe("ok");
  expect(judgeLag("reports", lag, { isServing: true, now: 7_200_000 })).toEqual({
    level: "warning",
    message: "reports: 2 h behind, 2.0 KiB to ingest",
  });
  expect(judgeLag("reports", { bytes: 0, oldestAtMs: null }, { isServing: true, now: 0 }).message).toBe(
    "reports: up to date",
  );
});

test("a clicks server that is full or can't be written to is reported", () => {
  const levels = (facts: Parameters<typeof judgeServerSpace>[0]) => judgeServerSpace(facts).map(({ level }) => level);
  expect(levels({ disk: { freeBytes: 50, totalBytes: 100 }, readOnlyTables: 0 })).toEqual([]);
  expect(levels({ disk: null, readOnlyTables: 0 })).toEqual([]);
  expect(levels({ disk: { freeBytes: 9, totalBytes: 100 }, readOnlyTables: 2 })).toEqual(["problem", "warning"]);
});

test("a server for records is judged by what it promises", () => {
  const good = {
    version: "PostgreSQL 15.6",
    latencyMs: 0.4,
    isStandby: false,
    risks: [],
    clockAheadMs: 3,
    connections: { accepted: 97, perNode: 48 },
    copy: null,
  };
  const found = (facts: Partial<Parameters<typeof judgeRecordsServer>[0]>) =>
    judgeRecordsServer({ ...good, ...facts }).map(({ level, message }) => `${level}: ${message}`);
  expect(found({})).toEqual(["ok: PostgreSQL 15.6 answers within 0.4 ms, with connections for 2 nodes"]);
  expect(found({ connections: null })).toEqual(["ok: PostgreSQL 15.6 answers within 0.4 ms"]);
  expect(found({ connections: { accepted: 47, perNode: 48 } })[0]).toStartWith("warning: a node may use 48");
  expect(found({ isStandby: true })[0]).toStartWith("problem: PostgreSQL 15.6 is a standby");
  expect(found({ risks: ["fsync = off"], latencyMs: 30, clockAheadMs: -2500 })).toEqual([
    expect.stringContaining("warning: fsync = off"),
    expect.stringContaining("warning: answers take 30.0 ms"),
    expect.stringContaining("by 2.5 s"),
  ]);
  const copied = (copy: Parameters<typeof judgeRecordsServer>[0]["copy"]) => found({ copy }).at(-1);
  expect(copied({ problem: "DATABASE_READ_URL: away" })).toStartWith("warning: DATABASE_READ_URL: away; links are");
  expect(copied({ isSameInstallation: false, changesBehind: 0 })).toStartWith(
    "problem: DATABASE_READ_URL is a database",
  );
  expect(copied({ isSameInstallation: true, changesBehind: 5000 })).toStartWith("warning: the replica is 5000 changes");
  expect(copied({ isSameInstallation: true, changesBehind: 2 })).toBe("ok: the replica is 2 changes behind");
});

test("a server for coordination that is away, slow, old or forgetful is worth a look, but stops nothing", () => {
  const good = { version: "Redis 7.0.15", isOutdated: false, latencyMs: 0.4, drops: null, writesToDisk: false };
  const levels = (facts: Parameters<typeof judgeCoordination>[0]) => judgeCoordination(facts).map(({ level }) => level);
  expect(judgeCoordination(good)).toEqual([{ level: "ok", message: "Redis 7.0.15 answers within 0.4 ms" }]);
  expect(judgeCoordination({ ...good, writesToDisk: true })).toMatchObject([
    { level: "warning", message: expect.stringContaining("salts of past days") },
  ]);
  expect(levels({ problem: "connect ECONNREFUSED" })).toEqual(["warning"]);
  expect(levels({ ...good, isOutdated: true, latencyMs: 30, drops: "allkeys-lru" })).toEqual(Array(3).fill("warning"));
});
