import { afterEach, beforeEach, describe, expect, test } from "bun:test";
import { copyFileSync, mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { DuckDBInstance } from "@duckdb/node-api";
import fc from "fast-check";
import { ClicksMigrating, ClicksUnavailable } from "#engines/clicks/clicks-engine.ts";
import { CLICKS_FILE, openDuckDbClicks } from "#engines/clicks/duckdb/duckdb-clicks.ts";
import { type OnMigration, prepareSchema } from "#engines/clicks/duckdb/migrations/migrations.ts";
import { sessionOn } from "#engines/clicks/duckdb/session.ts";
import { withSmallDisk } from "#test/support/small-disk.ts";
import { anyClick, anyOldClick, anyRequest, FIRST_MS } from "./clicks.arbitraries.ts";
import { DAY_MS, wholeWeek } from "./clicks.lab.ts";
import { ClicksOracle, partOf } from "./clicks.oracle.ts";
import { writeVersion1 } from "./clicks.version-1.ts";
import { writeVersion2 } from "./clicks.version-2.ts";

const KILLS = 6;

describe("a clicks file of an earlier release", () => {
  let directory = "";
  let path = "";
  beforeEach(() => {
    directory = mkdtempSync(join(tmpdir(), "kurz-migration-"));
    path = join(directory, CLICKS_FILE);
  });
  afterEach(() => rmSync(directory, { recursive: true }));

  const open = (onMigration: OnMigration = () => {}) =>
    openDuckDbClicks({ path, batchDirectory: directory, summaryClicksMin: 2, onMigration });
  const openMigrated = async () => {
    const engine = open();
    await engine.whenMigrated();
    return engine;
  };

  test("gives the same reports once it is migrated, and takes more clicks", async () => {
    const all = fc.sample(anyOldClick, { numRuns: 700, seed: 51 });
    const isOld = ({ at_ms }: { readonly at_ms: number }) => at_ms < FIRST_MS + DAY_MS;
    const [old, recent] = [all.filter(isOld), all.filter((click) => !isOld(click))];
    await writeVersion1(path, { clicks: recent, compacted: old });
    const oracle = new ClicksOracle();
    oracle.clicks.push(...all);
    oracle.compactedUntilDay = Math.floor(FIRST_MS / DAY_MS) + 1;
    const steps: string[] = [];
    const engine = openDuckDbClicks({
      path,
      batchDirectory: directory,
      onMigration: (state, version, rows) => void steps.push(`${state} ${version} ${rows}`),
    });
    await engine.whenMigrated();
    // Whole days of counts have visitors only where they were stored, so the range begins after them.
    const week = { ...wholeWeek, fromMs: FIRST_MS + DAY_MS, bucketStartsMs: wholeWeek.bucketStartsMs.slice(1) };
    expect(await engine.report(week)).toEqual(oracle.report(week));
    const later = ["begins 3 0", "ended 3 0", "begins 4 0", "ended 4 0"];
    expect(steps).toEqual([`begins 2 ${all.length}`, `ended 2 ${all.length}`, ...later]);
    const counts = { ...wholeWeek, breakdownVisitors: false };
    const [found, expected] = [await engine.report(counts), oracle.report(counts)];
    expect(found.breakdowns).toEqual(expected.breakdowns);
    expect(found.totals.clicks).toBe(expected.totals.clicks);
    expect(await engine.checkpoint("kept")).toBe(77);

    const more = fc.sample(anyClick, { numRuns: 300, seed: 52 }).filter((click) => !isOld(click));
    expect(await engine.ingest({ parts: [partOf(more, "later", 1)] })).toEqual({ clicks: more.length });
    oracle.clicks.push(...more);
    await engine.summarise(FIRST_MS + 5 * DAY_MS);
    const requests = fc.sample(anyRequest({ aligned: false }), { numRuns: 60, seed: 53 });
    for (const request of requests.filter(({ fromMs, previous }) => fromMs >= FIRST_MS + DAY_MS && previous === null)) {
      expect(await engine.report(request)).toEqual(oracle.report(request));
    }
    await engine.close();
    const again = open();
    expect(await again.report(week)).toEqual(oracle.report(week));
    await again.eraseAccount(2);
    await again.reclaim();
    expect(await again.report(week)).toEqual(oracle.report(week));
    await again.close();
  });

  test("stays as it is if the disk has no room for the migration, or for a backup", async () => {
    await withSmallDisk(16, async (disk) => {
      const small = join(disk.path, CLICKS_FILE);
      await writeVersion1(small, { clicks: fc.sample(anyClick, { numRuns: 100, seed: 71 }) });
      const options = { path: small, batchDirectory: disk.path };
      const short = openDuckDbClicks(options);
      await expect(short.whenMigrated()).rejects.toThrow(/needs \d+ MB of free disk space; there are \d+ MB/);
      await expect(short.whenMigrated()).rejects.toBeInstanceOf(ClicksUnavailable);
      await short.close();
      const copied = openDuckDbClicks({ ...options, asIs: true });
      await copied.exportWith(async (file) => copyFileSync(file, path));
      await copied.close();
    });
    const roomy = await openMigrated();
    expect((await roomy.stats()).rows).toBe(100);
    await roomy.close();
  });

  test("without a click is migrated, too", async () => {
    await writeVersion1(path, { clicks: [] });
    const engine = await openMigrated();
    expect((await engine.stats()).rows).toBe(0);
    const clicks = fc.sample(anyClick, { numRuns: 10, seed: 1 });
    expect(await engine.ingest({ parts: [partOf(clicks, "a", 1)] })).toEqual({ clicks: 10 });
    await engine.close();
  });

  test("has no reports while it is migrated, and says how far it is", async () => {
    await writeVersion1(path, { clicks: fc.sample(anyClick, { numRuns: 10, seed: 2 }) });
    const [begun, released] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()];
    const engine = open((state) => {
      if (state === "ended") return;
      begun.resolve();
      return released.promise;
    });
    const early = engine.stats();
    await begun.promise;
    const refusals = [early, engine.stats(), engine.checkpoint("kept"), engine.report(wholeWeek)];
    for (const refusal of await Promise.allSettled(refusals)) {
      expect(refusal).toMatchObject({ status: "rejected", reason: { percent: 0 } });
    }
    await expect(engine.report(wholeWeek)).rejects.toBeInstanceOf(ClicksMigrating);
    const tags = engine.linkTagsPosition();
    released.resolve();
    expect(await tags).toBe(-1);
    expect((await engine.stats()).rows).toBe(10);
    await engine.close();
  });

  test("is migrated in steps, and continues after the last one", async () => {
    const all = fc.sample(anyOldClick, { numRuns: 400, seed: 81 });
    const isOld = ({ at_ms }: { readonly at_ms: number }) => at_ms < FIRST_MS + 2 * DAY_MS;
    await writeVersion1(path, { clicks: all.filter((click) => !isOld(click)), compacted: all.filter(isOld) });
    const instance = await DuckDBInstance.create(path);
    const session = sessionOn(await instance.connect());
    const told: string[] = [];
    const done: number[] = [];
    const migrateUntil = (steps: number) =>
      prepareSchema(session, path, {
        stepRows: 1,
        onMigration: (state) => void told.push(state),
        onProgress(progress) {
          expect(progress.total).toBe(all.length);
          done.push(progress.done);
          if (done.length === steps) throw new Error("enough");
        },
      });
    for (const steps of [3, 6]) await expect(migrateUntil(steps)).rejects.toThrow("enough");
    expect(told).toEqual(["begins", "continues"]);
    // The first figure of a call is the last of the call before.
    expect(done[3]).toBe(done[2] as number);
    expect(done.every((count, index) => index === 0 || count >= (done[index - 1] ?? 0))).toBe(true);
    instance.closeSync();

    const copied = openDuckDbClicks({ path, batchDirectory: directory, asIs: true });
    const held = await copied.stats();
    expect(held.rows + held.compactedClicks).toBe(all.length);
    await copied.close();

    const engine = open((state) => void told.push(state));
    await engine.whenMigrated();
    expect(told).toEqual(["begins", "continues", "continues", "ended", "begins", "ended", "begins", "ended"]);
    const oracle = new ClicksOracle();
    oracle.clicks.push(...all);
    const counts = { ...wholeWeek, breakdownVisitors: false };
    const [found, expected] = [await engine.report(counts), oracle.report(counts)];
    expect(found.breakdowns).toEqual(expected.breakdowns);
    expect(found.totals.clicks).toBe(expected.totals.clicks);
    await engine.close();
  });

  test("stops being migrated when the engine closes", async () => {
    await writeVersion1(path, { clicks: fc.sample(anyClick, { numRuns: 100, seed: 3 }), times: 100 });
    let closing: Promise<void> | undefined;
    const engine = open((state) => {
      expect(state).toBe("begins");
      closing = engine.close();
    });
    await expect(engine.whenMigrated()).rejects.toBeInstanceOf(ClicksUnavailable);
    await closing;
    const told: string[] = [];
    const again = open((state) => void told.push(state));
    await again.whenMigrated();
    expect(told.at(-1)).toBe("ended");
    expect((await again.stats()).rows).toBe(10_000);
    await again.close();
  });

  test("survives being killed at any moment of the migration", async () => {
    const clicks = fc.sample(anyClick, { numRuns: 500, seed: 61 });
    const original = join(directory, "original");
    await writeVersion1(original, { clicks, times: 600 });
    copyFileSync(original, path);
    const probe = `
      const { openDuckDbClicks } = await import("#engines/clicks/duckdb/duckdb-clicks.ts");
      const [path, directory] = process.argv.slice(1);
      const engine = openDuckDbClicks({ path, batchDirectory: directory, onMigration: (state) => console.log(state) });
      await engine.whenMigrated();
      console.log("open");
      await engine.close();`;
    const spawn = () =>
      Bun.spawn([process.execPath, "-e", probe, path, directory], {
        cwd: join(import.meta.dir, "..", ".."),
        stdout: "pipe",
        stderr: "inherit",
      });
    const startedAt = performance.now();
    const whole = spawn();
    expect(await new Response(whole.stdout).text()).toBe("begins\nended\nbegins\nended\nbegins\nended\nopen\n");
    const wholeMs = performance.now() - startedAt;
    for (let kill = 0; kill < KILLS; kill += 1) {
      copyFileSync(original, path);
      rmSync(`${path}.wal`, { force: true });
      const child = spawn();
      await Bun.sleep((wholeMs * (kill + 1)) / (KILLS + 1));
      child.kill("SIGKILL");
      await child.exited;
      const engine = await openMigrated();
      expect((await engine.stats()).rows).toBe(clicks.length * 600);
      expect((await engine.report({ ...wholeWeek, groupBy: ["country"] })).totals.clicks).toBe(
        clicks.filter(({ account_no, bot }) => account_no === 1 && !bot).length * 600,
      );
      await engine.close();
    }
  });

  test("of the second release gives the same reports, and takes clicks with a domain and a rule", async () => {
    const old = fc.sample(anyOldClick, { numRuns: 500, seed: 91 });
    await writeVersion2(path, { clicks: old });
    const steps: string[] = [];
    const engine = open((state, version) => void steps.push(`${state} ${version}`));
    await engine.whenMigrated();
    expect(steps).toEqual(["begins 3", "ended 3", "begins 4", "ended 4"]);
    const oracle = new ClicksOracle();
    oracle.clicks.push(...old);
    expect(await engine.report(wholeWeek)).toEqual(oracle.report(wholeWeek));
    const more = fc.sample(anyClick, { numRuns: 500, seed: 92 });
    await engine.ingest({ parts: [partOf(more, "later", 1)] });
    // What the journal still holds of that release lacks the two texts.
    const left = fc.sample(anyOldClick, { numRuns: 100, seed: 93 });
    const { textsOf, ...part } = partOf(left, "left", 1);
    const withoutLast = (no: number) => textsOf(no)?.replace(/^((?:[^\t]*\t){4}[^\t]*)\t\t$/, "$1");
    await engine.ingest({ parts: [{ ...part, textsOf: withoutLast }] });
    oracle.clicks.push(...more, ...left);
    await engine.close();
    const again = open();
    for (const request of [wholeWeek, { ...wholeWeek, filters: { domain: [null], rule: ["test/a", null] } }]) {
      expect(await again.report(request)).toEqual(oracle.report(request));
    }
    await again.close();
  });

  test("of a later release is refused, and stays as it is", async () => {
    const engine = open();
    await engine.stats();
    await engine.close();
    const instance = await DuckDBInstance.create(path);
    const connection = await instance.connect();
    await connection.run("insert into schema_version values (99)");
    connection.closeSync();
    instance.closeSync();
    const refused = open();
    await expect(refused.stats()).rejects.toThrow("version 99");
    await refused.close();
  });
});
