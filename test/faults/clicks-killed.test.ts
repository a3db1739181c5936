import { afterAll, beforeAll, expect, test } from "bun:test";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { Link } from "#contract/link-record.ts";
import { clickOnce, settledCounts } from "#test/support/click-counts.ts";
import { type KurzServer, startKurz } from "#test/support/kurz-server.ts";
import { LinkApi } from "#test/support/link-api.ts";
import { startLoad } from "#test/support/load.ts";
import { isAlive, signalFirst } from "#test/support/process-table.ts";
import { until } from "#test/support/until.ts";

const LOOPS = 8;
const CYCLES = 50;
// The supervisor restarts a process that keeps dying ever more slowly; a new server begins without that delay.
const CYCLES_PER_SERVER = 7;
const CLICKS_PER_CYCLE = 50;
const PATIENCE_MS = 60_000;
const env = { KURZ_REDIRECT_PROCESSES: "2", KURZ_RATE_LIMIT_PER_MINUTE: "0" };

const dataDir = mkdtempSync(join(tmpdir(), "kurz-killed-"));
let kurz: KurzServer;
let api: LinkApi;
let link: Link;
/** What the client knows about its clicks: one whose answer never arrived may or may not count. */
const seen = { answered: 0, unanswered: 0 };

beforeAll(async () => {
  kurz = await startKurz({ dataDir, env });
  api = new LinkApi(kurz.url, await kurz.newToken(await kurz.newAccount()));
  link = await api.create({ slug: "counted" });
});
afterAll(async () => {
  await kurz.stop();
  rmSync(dataDir, { recursive: true, force: true });
});

async function click(): Promise<void> {
  const status = await clickOnce(`${kurz.url}/counted`).catch((error: { readonly code?: string }) => error.code);
  // A connection that was refused reached nobody who could count it.
  if (status === "ConnectionRefused") return;
  if (typeof status !== "number") seen.unanswered += 1;
  else if (status === 302) seen.answered += 1;
  else throw new Error(`the link answered ${status}`);
}

async function killDuringClicks(cycle: number): Promise<void> {
  const before = seen.answered;
  await until("links redirect", () => seen.answered >= before + CLICKS_PER_CYCLE, PATIENCE_MS);
  if (cycle % 3 !== 1) await killOne("redirect");
  if (cycle % 3 !== 0) await killOne("control");
}

async function killOne(role: "redirect" | "control"): Promise<void> {
  // One that was killed a moment ago may still be listed.
  let pids: number[] = [];
  const isRunning = (): boolean => {
    pids = kurz.processes(role).filter(isAlive);
    return pids.length > 0;
  };
  await until(`a ${role} process runs`, isRunning, PATIENCE_MS);
  signalFirst(pids, "SIGKILL");
}

test(`no click is lost and none counted twice over ${CYCLES} kills of redirect processes, control and both`, async () => {
  for (let cycle = 0; cycle < CYCLES; ) {
    const load = startLoad(LOOPS, click);
    for (let kills = 0; kills < CYCLES_PER_SERVER && cycle < CYCLES; kills += 1, cycle += 1) {
      await killDuringClicks(cycle);
    }
    await load.stop();
    await kurz.stop();
    kurz = await startKurz({ dataDir, env, port: kurz.port });
  }
  const { counter, report } = await settledCounts(api, link.id, seen.answered);
  process.stderr.write(`${seen.answered} answered, ${seen.unanswered} unanswered, ${counter} counted\n`);
  expect(counter).toBeLessThanOrEqual(seen.answered + seen.unanswered);
  expect(report).toBe(counter);
}, 600_000);
