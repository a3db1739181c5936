import { Database } from "bun:sqlite";
import { afterAll, beforeAll, expect, setDefaultTimeout, test } from "bun:test";
import { existsSync, mkdtempSync, readdirSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { askServerToHold } from "#backup/hold-client.ts";
import { dataPaths } from "#config/data-paths.ts";
import type { AnalyticsReport } from "#contract/analytics.ts";
import { BROWSER } from "#test/support/click-counts.ts";
import { killAndReplace } from "#test/support/killed-process.ts";
import { kurzProgram } from "#test/support/kurz-program.ts";
import { type KurzServer, runKurz, startKurz } from "#test/support/kurz-server.ts";
import { LinkApi, startKurzWithApi } from "#test/support/link-api.ts";
import { startLoad } from "#test/support/load.ts";
import { withSmallDisk } from "#test/support/small-disk.ts";
import { until } from "#test/support/until.ts";

setDefaultTimeout(600_000);

const SLUGS = ["one", "two", "three"];
const BACKUPS = 3;
const VISITS_PER_BACKUP = 300;
// Each check reads the reports of all links, one after the other.
const COUNTED_MS_MAX = 150_000;
const env = { KURZ_REDIRECT_PROCESSES: "2", KURZ_RATE_LIMIT_PER_MINUTE: "0" };

const root = mkdtempSync(join(tmpdir(), "kurz-backup-"));
let kurz: KurzServer;
let api: LinkApi;
let token: string;

beforeAll(async () => {
  const started = await startKurzWithApi({ env, dataDir: join(root, "data") });
  kurz = started.kurz;
  token = await kurz.newToken(started.account);
  api = new LinkApi(kurz.url, token);
  for (const slug of SLUGS) await api.create({ slug });
});
afterAll(async () => {
  await kurz.stop();
  rmSync(root, { recursive: true });
});

/** Visits to each link: sent ones and answered ones. */
const sent = new Map<string, number>();
const answered = new Map<string, number>();
const add = (counts: Map<string, number>, slug: string) => counts.set(slug, (counts.get(slug) ?? 0) + 1);

const open = async (url: string, slug: string): Promise<number> =>
  (await fetch(`${url}/${slug}`, { redirect: "manual", headers: { "user-agent": BROWSER } })).status;

async function visit(slug: string): Promise<void> {
  add(sent, slug);
  const status = await open(kurz.url, slug);
  if (status !== 302) throw new Error(`the link ${slug} answered ${status}`);
  add(answered, slug);
}

/** Links are created, visited and deleted while the backups are taken. */
async function createAndVisit(): Promise<void> {
  const link = await api.create();
  for (let visits = 0; visits < 3; visits += 1) await visit(link.slug);
  // Some stay, so that a backup has links that the previous one lacks.
  if ((sent.size & 3) !== 0) await api.erase(link.id);
}

interface Counts {
  readonly links: ReadonlyMap<string, number>;
  /** Clicks by link in the reports; `total` is the account's. */
  readonly reports: ReadonlyMap<string, number>;
  readonly total: number;
}

async function readCounts(from: LinkApi): Promise<Counts> {
  const clicksOf = async (path: string): Promise<number> => {
    const answer = await from.ask("GET", `${path}?interval=all`);
    return ((await answer.json()) as AnalyticsReport).totals.clicks;
  };
  const links = new Map<string, number>();
  const reports = new Map<string, number>();
  for (const { id, slug, click_count } of await from.list()) {
    links.set(slug, click_count);
    reports.set(slug, await clicksOf(`/links/${id}/analytics`));
  }
  return { links, reports, total: await clicksOf("/analytics") };
}

const sum = (counts: Iterable<number>): number => [...counts].reduce((total, count) => total + count, 0);
const journalOf = (dataDir: string) => readdirSync(join(dataDir, "journal")).filter((name) => name.endsWith(".log"));
/** On the server that keeps running, whose journal is never empty. */
const untilCounted = () =>
  until(
    "every answered visit is counted in both engines",
    async () => {
      const { links, reports } = await readCounts(api);
      return [...links].every(([slug, count]) => count === (answered.get(slug) ?? 0) && count === reports.get(slug));
    },
    COUNTED_MS_MAX,
  );
const untilIngested = (dataDir: string) =>
  until("the journal is empty", () => journalOf(dataDir).length === 0, COUNTED_MS_MAX);
/** Links deleted just before a backup are erased after its restore. */
async function untilErased(dataDir: string): Promise<void> {
  const records = new Database(dataPaths(dataDir).records, { readonly: true });
  const left = records.query("select 1 from click_erasures limit 1");
  await until("nothing is left to erase", () => left.get() === null, COUNTED_MS_MAX).finally(() => records.close());
}

const backUp = (name: string) => kurz.kurz(["backup", join(root, name)]);
const restore = (name: string, dataDir: string) =>
  runKurz(["restore", join(root, name)], { ...env, KURZ_DATA_DIR: dataDir });

/** Starts a server on restored data and waits until its journal is counted and deleted links are erased. */
async function startRestored(dataDir: string): Promise<{ server: KurzServer; at: LinkApi }> {
  const server = await startKurz({ env, dataDir });
  await untilIngested(dataDir);
  await untilErased(dataDir);
  return { server, at: new LinkApi(server.url, token) };
}

test("backups under load restore to consistent counts, with every click before them and none after", async () => {
  const load = startLoad(6, (loop) => (loop < 4 ? visit(SLUGS[loop % 3] ?? "") : createAndVisit()));
  const bounds: { least: Map<string, number>; most: Map<string, number> }[] = [];
  for (let number = 0; number < BACKUPS; number += 1) {
    const visits = sum(answered.values()) + VISITS_PER_BACKUP;
    await until("links are visited", () => sum(answered.values()) >= visits, COUNTED_MS_MAX);
    const least = new Map(answered);
    const { code, stderr } = await backUp(`load-${number}`);
    expect({ code, stderr }).toMatchObject({ code: 0 });
    bounds.push({ least, most: new Map(sent) });
  }
  await load.stop();
  for (const [number, { least, most }] of bounds.entries()) {
    const dataDir = join(root, `restored-${number}`);
    expect(await restore(`load-${number}`, dataDir)).toMatchObject({ code: 0 });
    const { server, at } = await startRestored(dataDir);
    const { links, reports, total } = await readCounts(at);
    await server.stop();
    expect(reports).toEqual(links);
    // Clicks on links that aren't in the backup would show here.
    expect(total).toBe(sum(links.values()));
    for (const slug of SLUGS) {
      expect(links.get(slug)).toBeGreaterThanOrEqual(least.get(slug) ?? 0);
      expect(links.get(slug)).toBeLessThanOrEqual(most.get(slug) ?? 0);
    }
    for (const [slug, count] of links) expect(count).toBeLessThanOrEqual(most.get(slug) ?? 0);
    process.stderr.write(`backup ${number}: ${links.size} links, ${total} clicks\n`);
  }
  // Taking them cost the server nothing.
  await untilCounted();
});

test("a link deleted before the backup stays erased", async () => {
  const { id, slug } = await api.create();
  await visit(slug);
  await api.erase(id);
  expect(await backUp("erased")).toMatchObject({ code: 0 });
  const dataDir = join(root, "erased-data");
  expect(await restore("erased", dataDir)).toMatchObject({ code: 0 });
  const { server, at } = await startRestored(dataDir);
  await until(
    "nothing of it is in reports",
    async () => {
      const { links, total } = await readCounts(at);
      return !links.has(slug) && total === sum(links.values());
    },
    COUNTED_MS_MAX,
  );
  await server.stop();
});

test("a restored server passes the doctor, keeps counting, and can't be restored over", async () => {
  expect(await backUp("going-on")).toMatchObject({ code: 0 });
  const dataDir = join(root, "going-on-data");
  expect(await restore("going-on", dataDir)).toMatchObject({ code: 0 });
  const { server, at } = await startRestored(dataDir);
  const before = await readCounts(at);
  for (let visits = 0; visits < 50; visits += 1) expect(await open(server.url, "one")).toBe(302);
  await until(
    "the new clicks are counted",
    async () => {
      const { links, reports } = await readCounts(at);
      const expected = (before.links.get("one") ?? 0) + 50;
      return links.get("one") === expected && reports.get("one") === expected;
    },
    COUNTED_MS_MAX,
  );
  expect(await server.kurz(["doctor"])).toMatchObject({ code: 0 });
  const refused = await restore("going-on", dataDir);
  expect(refused).toMatchObject({ code: 1, stderr: expect.stringContaining("is in use by a running server") });
  await server.stop();
  expect(await restore("going-on", dataDir)).toMatchObject({ code: 1, stderr: expect.stringContaining("not empty") });
});

test("while clicks are copied, links redirect and count and the API writes; reports catch up afterwards", async () => {
  const { id, slug } = await api.create();
  const hold = await askServerToHold(dataPaths(kurz.dataDir));
  try {
    await hold.copyClicks(async () => {
      for (const visits of [1, 2, 3]) {
        await visit(slug);
        await until(`it has ${visits} clicks`, async () => (await api.get(id)).click_count === visits);
      }
      await api.update(id, { title: "changed" });
      expect((await readCounts(api)).reports.get(slug)).toBe(0);
    });
    await untilCounted();
    await hold.confirm();
  } finally {
    await hold.close();
  }
});

test("a backup fails if its server restarts meanwhile, and the next one succeeds", async () => {
  const hold = await askServerToHold(dataPaths(kurz.dataDir));
  await hold.copyClicks(async () => {});
  await killAndReplace(kurz, "control");
  await expect(hold.confirm()).rejects.toThrow("stopped or restarted during the backup");
  expect(await backUp("after-restart")).toMatchObject({ code: 0 });
});

test("a killed backup leaves nothing that restore accepts, and the server continues", async () => {
  const hold = await askServerToHold(dataPaths(kurz.dataDir));
  try {
    // It can't finish before it is killed, since another backup holds the clicks.
    await hold.copyClicks(async () => {
      const child = Bun.spawn([...kurzProgram(), "backup", join(root, "killed")], {
        cwd: join(import.meta.dir, "..", ".."),
        env: { PATH: process.env.PATH ?? "", KURZ_DATA_DIR: kurz.dataDir },
        stdout: "ignore",
        stderr: "pipe",
      });
      let said = "";
      for await (const chunk of child.stderr) {
        said += new TextDecoder().decode(chunk);
        if (said.includes("copying the clicks")) break;
      }
      expect(said).toContain("copying the clicks");
      child.kill("SIGKILL");
      await child.exited;
    });
  } finally {
    await hold.close();
  }
  expect(existsSync(join(root, "killed"))).toBeFalse();
  for (const left of readdirSync(root).filter((name) => name.startsWith("killed.partial-"))) {
    expect(await restore(left, join(root, "never"))).toMatchObject({ code: 1 });
  }
  await visit("one");
  await untilCounted();
});

test("a backup onto a full disk fails with one line, leaves nothing and costs no click", async () => {
  await withSmallDisk(1, async (disk) => {
    disk.fill();
    const { code, stderr } = await kurz.kurz(["backup", join(disk.path, "backup")]);
    expect(code).toBe(1);
    expect(stderr.trim().split("\n").at(-1)).toMatch(/space|full/);
    expect(readdirSync(disk.path)).toEqual(["filler"]);
  });
});

test("a restore onto a full disk leaves an empty directory, and works once there is space", async () => {
  expect(await backUp("small")).toMatchObject({ code: 0 });
  await withSmallDisk(40, async (disk) => {
    const dataDir = join(disk.path, "data");
    disk.fill();
    expect(await restore("small", dataDir)).toMatchObject({ code: 1 });
    expect(existsSync(join(dataDir, "records.db"))).toBeFalse();
    disk.free();
    expect(await restore("small", dataDir)).toMatchObject({ code: 0 });
  });
});

test("a backup of a stopped server restores to exactly its counts, including clicks still in the journal", async () => {
  for (let visits = 0; visits < 20; visits += 1) await visit("two");
  const answeredAll = new Map(answered);
  await kurz.stop();
  const here = { ...env, KURZ_DATA_DIR: kurz.dataDir };
  expect(await runKurz(["backup", join(root, "stopped")], here)).toMatchObject({ code: 0 });
  const dataDir = join(root, "stopped-data");
  expect(await restore("stopped", dataDir)).toMatchObject({ code: 0 });
  const { server, at } = await startRestored(dataDir);
  const { links, reports, total } = await readCounts(at);
  await server.stop();
  kurz = await startKurz({ env, dataDir: kurz.dataDir, port: kurz.port });
  await untilCounted();
  expect(await readCounts(api)).toEqual({ links, reports, total });
  expect(reports).toEqual(links);
  expect(links.get("two")).toBe(answeredAll.get("two") ?? 0);
});
