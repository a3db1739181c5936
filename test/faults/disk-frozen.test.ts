import { afterAll, afterEach, beforeAll, describe, expect, test } from "bun:test";
import { join } from "node:path";
import { dataPaths } from "#config/data-paths.ts";
import { waitsForDisk } from "#supervision/thread-state.ts";
import { BROWSER, settledCounts } from "#test/support/click-counts.ts";
import { readExposition } from "#test/support/exposition.ts";
import { type FreezableDisk, mountFreezableDisk } from "#test/support/frozen-disk.ts";
import { type OwnedConnection, openToEveryProcess } from "#test/support/kept-connections.ts";
import { type KurzWithApi, startKurzWithApi } from "#test/support/link-api.ts";
import { askOnce } from "#test/support/raw-connection.ts";
import { until } from "#test/support/until.ts";

// Fifteen times as long as a redirect process may be silent before it counts as hung.
const FREEZE_MS = 15_000;
// The disk thaws by itself after a minute.
const FROZEN_MS_MAX = 45_000;
// Below that, and far above what a busy machine needs for an answer.
const ANSWER_MS_MAX = 12_000;
// Without a limit of its own, a look-up would take as long as the disk is frozen.
const LOOK_UP_MS_MAX = 20_000;
const TIMEOUT_MS = 600_000;

let disk: FreezableDisk;
let server: KurzWithApi;

beforeAll(async () => {
  disk = mountFreezableDisk(128);
  server = await startKurzWithApi({
    dataDir: join(disk.path, "data"),
    env: { KURZ_REDIRECT_PROCESSES: "2", KURZ_RATE_LIMIT_PER_MINUTE: "0" },
  });
}, TIMEOUT_MS);

afterEach(() => disk.thaw());

afterAll(async () => {
  disk.thaw();
  await server?.kurz.stop();
  disk.remove();
}, TIMEOUT_MS);

const headers = [["User-Agent", BROWSER]] as const;

/** Clicks on all connections, one click at a time on each, until stopped. */
function startClicking(connections: readonly OwnedConnection[], slug: string) {
  const ends = { redirected: 0, other: 0 };
  let slowestMs = 0;
  let isStopped = false;
  const clickOn = async ({ connection }: OwnedConnection): Promise<void> => {
    while (!isStopped) {
      const startedAt = performance.now();
      const { status } = await connection.request({ target: `/${slug}`, headers });
      slowestMs = Math.max(slowestMs, performance.now() - startedAt);
      ends[status === 302 ? "redirected" : "other"] += 1;
      await Bun.sleep(2);
    }
  };
  const clicking = Promise.all(connections.map(clickOn));
  return {
    ends,
    slowestMs: () => slowestMs,
    async stop() {
      isStopped = true;
      await clicking;
    },
  };
}

async function readMetrics(): Promise<Map<string, number>> {
  const { metricsSocket } = dataPaths(server.kurz.dataDir);
  return readExposition(await (await fetch("http://localhost/metrics", { unix: metricsSocket })).text());
}

async function sumOf(name: string): Promise<number> {
  const series = [...(await readMetrics())].filter(([key]) => key.startsWith(name));
  return series.reduce((sum, [, value]) => sum + value, 0);
}

const pids = (): number[] => [...server.kurz.processes("redirect"), ...server.kurz.processes("control")];

describe("while the disk doesn't respond", () => {
  test(
    "cached links redirect, no process counts as hung, and every click is counted once it responds again",
    async () => {
      const { kurz, api } = server;
      const [link, uncached] = [await api.create(), await api.create()];
      const before = pids();
      const connections = await openToEveryProcess(kurz, 2);
      const clicking = startClicking(connections, link.slug);
      await until("every connection has clicked", () => clicking.ends.redirected > 50);

      disk.freeze();
      const frozenAt = performance.now();
      await until("clicks wait in memory", async () => (await sumOf("kurz_clicks_waiting")) > 0);
      await until("it is logged", () => kurz.output.stderr.includes("the disk does not answer; clicks wait in memory"));
      // A link may or may not be found on a frozen disk, but nobody waits for it.
      const lookedUpAt = performance.now();
      expect([302, 503]).toContain((await askOnce(kurz.port, { target: `/${uncached.slug}` })).status);
      expect(performance.now() - lookedUpAt).toBeLessThan(LOOK_UP_MS_MAX);
      const early = clicking.ends.redirected;
      await until(
        "links redirect while the disk is frozen for long",
        () => performance.now() - frozenAt > FREEZE_MS && clicking.ends.redirected > early + 100,
        FROZEN_MS_MAX,
      );
      disk.thaw();

      await until("nothing is waiting", async () => (await sumOf("kurz_clicks_waiting")) <= connections.length);
      await clicking.stop();
      expect(clicking.ends.other).toBe(0);
      expect(clicking.slowestMs()).toBeLessThan(ANSWER_MS_MAX);
      expect(pids()).toEqual(before);
      const { redirected } = clicking.ends;
      expect(await settledCounts(api, link.id, redirected)).toEqual({ counter: redirected, report: redirected });
      expect(await sumOf("kurz_clicks_dropped_total")).toBe(0);
      expect(await sumOf("kurz_clicks_answered_early_total")).toBeGreaterThan(100);
      for (const { connection } of connections) connection.close();
    },
    TIMEOUT_MS,
  );

  test(
    "a killed redirect process loses the clicks in its memory, and exactly those are reported as lost",
    async () => {
      const { kurz, api } = server;
      const link = await api.create();
      const [kept] = await openToEveryProcess(kurz, 1);
      if (kept === undefined) throw new Error("there is no redirect process");
      const click = async (): Promise<void> => {
        expect((await kept.connection.request({ target: `/${link.slug}`, headers })).status).toBe(302);
      };
      const [counted, early] = [20, 60];
      for (let no = 0; no < counted; no += 1) await click();
      disk.freeze();
      for (let no = 0; no < early; no += 1) await click();
      process.kill(kept.pid, "SIGKILL");
      disk.thaw();
      await until("its successor runs", () => !kurz.processes("redirect").includes(kept.pid) && pids().length === 3);
      expect(await settledCounts(api, link.id, counted)).toEqual({ counter: counted, report: counted });
      expect((await readMetrics()).get('kurz_clicks_dropped_total{reason="killed"}')).toBe(early);
      await until("it is logged", () => kurz.output.stderr.includes(`"killed":${early}`));
    },
    TIMEOUT_MS,
  );
});

test(
  "a process that waits for the disk is told apart from one that hangs",
  async () => {
    const hung = Bun.spawn(["sh", "-c", "while :; do :; done"]);
    disk.freeze();
    const waiting = Bun.spawn(["sh", "-c", `echo x > "$0"`, join(disk.path, "file")]);
    try {
      await until("it waits for the disk", () => waitsForDisk(waiting.pid));
      expect(waitsForDisk(hung.pid)).toBe(false);
      disk.thaw();
      expect(await waiting.exited).toBe(0);
      expect(waitsForDisk(waiting.pid)).toBe(false);
    } finally {
      hung.kill("SIGKILL");
      await hung.exited;
    }
  },
  TIMEOUT_MS,
);
