import { afterAll, beforeAll, expect, test } from "bun:test";
import type { Link } from "#contract/link-record.ts";
import { clickOnce, settledCounts } from "#test/support/click-counts.ts";
import type { KurzServer } from "#test/support/kurz-server.ts";
import { type LinkApi, startKurzWithApi } from "#test/support/link-api.ts";
import { startLoad } from "#test/support/load.ts";
import { isAlive, signalFirst } from "#test/support/process-table.ts";
import { until } from "#test/support/until.ts";

const LOOPS = 8;
const CYCLES = 50;
const CYCLE_MS = 250;

let kurz: KurzServer;
let api: LinkApi;
let link: Link;
/** What this client knows of its clicks: an answer that never arrived may or may not count. */
const seen = { answered: 0, unanswered: 0 };

beforeAll(async () => {
  ({ kurz, api } = await startKurzWithApi({
    env: { KURZ_REDIRECT_PROCESSES: "2", KURZ_RATE_LIMIT_PER_MINUTE: "0" },
  }));
  link = await api.create({ slug: "counted" });
});
afterAll(() => kurz.stop());

async function click(): Promise<void> {
  const status = await clickOnce(`${kurz.url}/counted`).catch(() => null);
  if (status === null) seen.unanswered += 1;
  else if (status === 302) seen.answered += 1;
  else throw new Error(`the link answered ${status}`);
}

// Who is killed again and again starts again after five seconds only, which alone makes more than two minutes.
test(`no click is lost and none is counted twice over ${CYCLES} kills of redirect processes, control and both`, async () => {
  const load = startLoad(LOOPS, click);
  for (let cycle = 0; cycle < CYCLES; cycle += 1) {
    await Bun.sleep(CYCLE_MS);
    if (cycle % 3 !== 1) await killOne("redirect");
    if (cycle % 3 !== 0) await killOne("control");
  }
  await load.stop();
  const { counter, report } = await settledCounts(api, link.id, seen.answered);
  process.stderr.write(`${seen.answered} answered, ${seen.unanswered} unanswered, ${counter} counted\n`);
  expect(seen.answered).toBeGreaterThan(1000);
  expect(counter).toBeLessThanOrEqual(seen.answered + seen.unanswered);
  expect(report).toBe(counter);
}, 300_000);

async function killOne(role: "redirect" | "control"): Promise<void> {
  // One that was killed a moment ago may still be listed, and be gone at a second look.
  let pids: number[] = [];
  const isRunning = (): boolean => {
    pids = kurz.processes(role).filter(isAlive);
    return pids.length > 0;
  };
  await until(`a ${role} process runs`, isRunning, 15_000);
  signalFirst(pids, "SIGKILL");
}
