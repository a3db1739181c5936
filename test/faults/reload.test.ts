import { Database } from "bun:sqlite";
import { afterAll, beforeAll, expect, test } from "bun:test";
import { cpSync, mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { Link } from "#contract/link-record.ts";
import { startKeptVisitors, startNewVisitors, type Tally } from "#test/support/changeover-visitors.ts";
import { BROWSER } from "#test/support/click-counts.ts";
import { type KurzServer, runKurz, startKurz } from "#test/support/kurz-server.ts";
import { LinkApi } from "#test/support/link-api.ts";
import { isAlive } from "#test/support/process-table.ts";
import { until } from "#test/support/until.ts";
import manifest from "../../package.json";

const root = join(import.meta.dir, "..", "..");
const NEXT = "99.0.0";
const PROCESSES = 2;
const NOT_COPIED = /node_modules|dist\/binary|dist\/release/;

let kurz: KurzServer;
let api: LinkApi;
let links: readonly Link[];
let next: string;

/** This release as another one: with its own number, and a migration that older code works with. */
beforeAll(async () => {
  next = mkdtempSync(join(tmpdir(), "kurz-next-"));
  for (const name of ["src", "contract", "shared", "console", "sdk", "bin", "dist", "tsconfig.json"]) {
    cpSync(join(root, name), join(next, name), { recursive: true, filter: (path) => !NOT_COPIED.test(path) });
  }
  symlinkSync(join(root, "node_modules"), join(next, "node_modules"));
  writeFileSync(join(next, "package.json"), JSON.stringify({ ...manifest, version: NEXT }));
  const list = join(next, "src", "engines", "records", "migrations", "all.ts");
  const step = `{ id: 9999, name: "a test", sqlite: "alter table links add column of_a_test text", worksFrom: 13 }`;
  writeFileSync(list, readFileSync(list, "utf8").replace(/\n\];\s*$/, `\n  ${step},\n];\n`));
  kurz = await startKurz({ env: { KURZ_REDIRECT_PROCESSES: String(PROCESSES), KURZ_RATE_LIMIT_PER_MINUTE: "0" } });
  api = new LinkApi(kurz.url, await kurz.newToken(await kurz.newAccount()));
  links = await Promise.all([api.create(), api.create(), api.create({ max_clicks: 1_000_000 })]);
});

afterAll(async () => {
  await kurz.stop();
  rmSync(next, { recursive: true, force: true });
});

const settings = () => ({ KURZ_DATA_DIR: kurz.dataDir, KURZ_PORT: String(kurz.port), KURZ_METRICS_ADDR: "off" });

async function reloadUnderLoad(release: string): Promise<Tally> {
  const slugs = links.map(({ slug }) => slug);
  const tally: Tally = { visits: 0, calls: 0, failures: [], slowestMs: 0 };
  const target = { port: kurz.port, slugs, userAgent: BROWSER, tally };
  const visitors = [startNewVisitors(target), startKeptVisitors(target)];
  const calls = startCalls(tally);
  await until("visitors come", () => tally.visits > 200 && tally.calls > 5);
  const result = await runKurz(["reload", "--json"], settings(), "", release);
  expect([result.code, result.stderr]).toEqual([0, expect.any(String)]);
  const [visits, served] = [tally.visits, tally.calls];
  await until("visitors go on", () => tally.visits > visits + 200 && tally.calls > served + 5);
  await Promise.all([...visitors, calls].map((each) => each.stop()));
  return tally;
}

/** API calls that read and write, one after another. */
function startCalls(tally: Tally) {
  let isStopping = false;
  const done = (async () => {
    while (!isStopping) {
      const [read, written] = [await api.ask("GET", "/links"), await api.ask("POST", "/links", newLink())];
      if (read.status !== 200 || written.status !== 201) tally.failures.push(`API ${read.status} ${written.status}`);
      tally.calls += 2;
    }
  })().catch((error: unknown) => tally.failures.push(`API ${error}`));
  return {
    async stop() {
      isStopping = true;
      await done;
    },
  };
}

const newLink = () => ({ destination_url: "https://example.com/" });

const countClicks = async (): Promise<number> => {
  const counts = await Promise.all(links.map(({ id }) => api.get(id)));
  return counts.reduce((sum, { click_count }) => sum + click_count, 0);
};

test("a newer version takes over under load: no connection is refused, no visit fails, and every click counts once", async () => {
  const before = {
    supervisor: kurz.supervisor.pid,
    redirects: kurz.processes("redirect"),
    control: kurz.processes("control"),
  };
  let visits = 0;
  // From this version to the next, and once more to itself: what one run leaves behind must not disturb the one after.
  for (const release of [next, next]) {
    const tally = await reloadUnderLoad(release);
    expect(tally.failures).toEqual([]);
    visits += tally.visits;
    await until("every click is counted", async () => (await countClicks()) >= visits);
    expect(await countClicks()).toBe(visits);
  }
  expect(columnsOfLinks()).toContain("of_a_test");
  expect(kurz.supervisor.exitCode).toBeNull();
  expect(before.redirects.length).toBe(PROCESSES);
  expect([...before.redirects, ...before.control].filter(isAlive)).toEqual([]);
  expect(kurz.processes("redirect").length).toBe(PROCESSES);
  const { stdout } = await runKurz(["doctor", "--json"], settings(), "", next);
  expect(JSON.parse(stdout)).toMatchObject({ healthy: true });
  expect(kurz.output.stderr).toContain(`"version":"${NEXT}","before":"${manifest.version}"`);
});

const columnsOfLinks = (): string[] => {
  const records = new Database(join(kurz.dataDir, "records.db"), { readonly: true });
  try {
    return records
      .query<{ name: string }, []>("select name from pragma_table_info('links')")
      .all()
      .map(({ name }) => name);
  } finally {
    records.close();
  }
};

/** Reloads with a change to the other release, which is undone. */
async function reloadWith(path: string, change: (text: string) => string) {
  const file = join(next, path);
  const text = readFileSync(file, "utf8");
  expect(change(text)).not.toBe(text);
  writeFileSync(file, change(text));
  const { code, stderr } = await runKurz(["reload"], settings(), "", next);
  writeFileSync(file, text);
  return { code, stderr };
}

test("an older version, which can't read the data, is refused, and nothing happens", async () => {
  const pids = kurz.processes("redirect");
  const { code, stderr } = await runKurz(["reload"], settings());
  expect([code, stderr]).toEqual([1, expect.stringContaining("the running version is newer")]);
  const clicks = await reloadWith(join("src", "engines", "clicks", "clicks-version.ts"), (text) =>
    text.replace(/= \d+;/, "= 1;"),
  );
  expect(clicks).toEqual({ code: 1, stderr: expect.stringContaining("the running version is newer") });
  expect(kurz.processes("redirect")).toEqual(pids);
});

test("a version that can't start with the settings of the server is refused with the reason, and nothing happens", async () => {
  const pids = kurz.processes("redirect");
  const { code, stderr } = await reloadWith(join("src", "config", "settings.ts"), (text) =>
    text.replace(`"KURZ_REDIRECT_PROCESSES"`, `"KURZ_REDIRECT_WORKERS"`),
  );
  expect([code, stderr]).toEqual([1, expect.stringContaining("KURZ_REDIRECT_PROCESSES is not a setting")]);
  expect(kurz.processes("redirect")).toEqual(pids);
  expect((await api.ask("GET", "/links")).status).toBe(200);
});

test("a version that the running one can't share its data with is refused, and nothing happens", async () => {
  const pids = kurz.processes("redirect");
  const step = `{ id: 10000, name: "another test", sqlite: "drop table links" }`;
  const { code, stderr } = await reloadWith(join("src", "engines", "records", "migrations", "all.ts"), (text) =>
    text.replace(/\n\];\s*$/, `\n  ${step},\n];\n`),
  );
  expect([code, stderr]).toEqual([1, expect.stringContaining("restart the server instead")]);
  expect(kurz.processes("redirect")).toEqual(pids);
});
