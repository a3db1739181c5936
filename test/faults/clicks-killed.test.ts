import { afterAll, beforeAll, expect, test } from "bun:test";
import type { Link } from "#contract/link-record.ts";
import type { KurzServer } from "#test/support/kurz-server.ts";
import { type LinkApi, startKurzWithApi } from "#test/support/link-api.ts";
import { startLoad } from "#test/support/load.ts";
import { signalFirst } from "#test/support/process-table.ts";
import { until } from "#test/support/until.ts";

const BROWSER = "Mozilla/5.0 (X11; Linux x86_64) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/130.0.0.0 Safari/537.36";
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
  try {
    const { status } = await fetch(`${kurz.url}/counted`, {
      redirect: "manual",
      keepalive: false,
      headers: { "user-agent": BROWSER },
    });
    if (status === 302) seen.answered += 1;
    else throw new Error(`the link answered ${status}`);
  } catch (error) {
    if (error instanceof Error && error.message.startsWith("the link")) throw error;
    seen.unanswered += 1;
  }
}

const countClicks = async (): Promise<number> => {
  const answer = await api.ask("GET", `/links/${link.id}`).catch(() => null);
  return answer?.status === 200 ? ((await answer.json()) as Link).click_count : -1;
};

/** Waits until the count stands still although nobody clicks. */
async function settledCount(): Promise<number> {
  let last = -2;
  let unchanged = 0;
  await until(
    "the count settles",
    async () => {
      const count = await countClicks();
      unchanged = count === last ? unchanged + 1 : 0;
      last = count;
      await Bun.sleep(200);
      return count >= seen.answered && unchanged >= 8;
    },
    30_000,
  );
  return last;
}

test(`no click is lost and none is counted twice over ${CYCLES} kills of redirect processes, control and both`, async () => {
  const load = startLoad(LOOPS, click);
  for (let cycle = 0; cycle < CYCLES; cycle += 1) {
    await Bun.sleep(CYCLE_MS);
    if (cycle % 3 !== 1) await killOne("redirect");
    if (cycle % 3 !== 0) await killOne("control");
  }
  await load.stop();
  const count = await settledCount();
  process.stderr.write(`${seen.answered} answered, ${seen.unanswered} unanswered, ${count} counted\n`);
  expect(seen.answered).toBeGreaterThan(1000);
  expect(count).toBeGreaterThanOrEqual(seen.answered);
  expect(count).toBeLessThanOrEqual(seen.answered + seen.unanswered);
}, 180_000);

async function killOne(role: "redirect" | "control"): Promise<void> {
  await until(`a ${role} process runs`, () => kurz.processes(role).length > 0, 15_000);
  signalFirst(kurz.processes(role), "SIGKILL");
}
