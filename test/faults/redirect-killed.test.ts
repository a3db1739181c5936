import { afterAll, expect, test } from "bun:test";
import { openToEveryProcess } from "#test/support/kept-connections.ts";
import { startKurzWithApi } from "#test/support/link-api.ts";
import { startLoad } from "#test/support/load.ts";
import { countListeners, isAlive, signalFirst } from "#test/support/process-table.ts";
import { askOnce } from "#test/support/raw-connection.ts";
import { until } from "#test/support/until.ts";

const TIMEOUT_MS = 600_000;
const PROCESSES = 3;
// Patience for a busy machine, not a promise: the times are printed.
const REPLACED_MS_MAX = 60_000;
const WRITE_MS_MAX = 60_000;
// Enough to reach a process that gets a third of the connections with all but certainty.
const VISITS = 60;

const { kurz, api } = await startKurzWithApi({
  env: { KURZ_REDIRECT_PROCESSES: String(PROCESSES), KURZ_RATE_LIMIT_PER_MINUTE: "0" },
});
afterAll(async () => {
  await kurz.stop();
});

const isComplete = (): boolean => countListeners(kurz.port) === PROCESSES;

async function visitEverywhere(path: string): Promise<Set<number>> {
  const statuses = new Set<number>();
  for (let visit = 0; visit < VISITS; visit += 1) statuses.add((await askOnce(kurz.port, { target: path })).status);
  return statuses;
}

test(
  "when a redirect process is killed, later visitors are served, and a new one takes its place",
  async () => {
    const { slug } = await api.create();
    const failures: string[] = [];
    let answers = 0;
    // From the kill until its listener is gone, connections may still reach the dying process.
    let isDying = false;
    let kills = 0;
    const load = startLoad(4, async () => {
      const [startedWhileDying, killsBefore] = [isDying, kills];
      const outcome = await askOnce(kurz.port, { target: `/${slug}` }).then(
        ({ status }) => String(status),
        (error: Error) => error.message,
      );
      if (outcome === "302") {
        answers += 1;
      } else if (!(startedWhileDying || kills !== killsBefore) || /^\d/.test(outcome)) {
        failures.push(outcome);
      }
    });
    const gapsMs: number[] = [];
    const answersMeanwhile: number[] = [];
    while (kills < 3) {
      const pid = signalFirst(kurz.processes("redirect").slice(kills), "SIGKILL");
      kills += 1;
      isDying = true;
      await until("the killed process is gone", () => !isAlive(pid));
      isDying = false;
      const answersBefore = answers;
      expect((await askOnce(kurz.port, { target: `/${slug}` })).status).toBe(302);
      gapsMs.push(await until("a new process listens", isComplete, REPLACED_MS_MAX));
      answersMeanwhile.push(answers - answersBefore);
      expect(kurz.processes("redirect")).not.toContain(pid);
    }
    await load.stop();
    process.stderr.write(
      `replaced after ${gapsMs.map(Math.round).join(", ")} ms, with ${answersMeanwhile.join(", ")} answers meanwhile\n`,
    );
    expect(failures).toEqual([]);
    // How many depends on the machine. Three starts take thousands of times as long as the first answer meanwhile.
    expect(Math.max(...answersMeanwhile)).toBeGreaterThan(0);
  },
  TIMEOUT_MS,
);

test(
  "a write waits about a second for a stopped redirect process, which is killed and replaced",
  async () => {
    const { id, slug } = await api.create();
    await until("every process serves", isComplete);
    expect(await visitEverywhere(`/${slug}`)).toEqual(new Set([302]));
    const [first, second, third] = await openToEveryProcess(kurz, 1);
    const stopped = signalFirst(first ? [first.pid] : [], "SIGSTOP");

    const startedAt = performance.now();
    const answer = await second?.connection.request({
      method: "POST",
      target: `/api/v1/links/${id}/pause`,
      headers: [["Authorization", api.authorization]],
    });
    const writeMs = performance.now() - startedAt;
    expect(answer?.status).toBe(200);
    expect(isAlive(stopped)).toBe(false);
    // At once, even before the killed one has a successor.
    expect(await visitEverywhere(`/${slug}`)).toEqual(new Set([404]));
    expect((await third?.connection.request({ target: `/${slug}` }))?.status).toBe(404);

    const replacedMs = await until("a new process listens", isComplete, REPLACED_MS_MAX);
    expect(kurz.processes("redirect")).not.toContain(stopped);
    expect(await visitEverywhere(`/${slug}`)).toEqual(new Set([404]));
    process.stderr.write(
      `the write took ${Math.round(writeMs)} ms, the successor came ${Math.round(replacedMs)} ms after\n`,
    );
    expect(writeMs).toBeLessThan(WRITE_MS_MAX);
    for (const owned of [first, second, third]) owned?.connection.close();
  },
  TIMEOUT_MS,
);

test(
  "a stopped redirect process is replaced even if nothing is written",
  async () => {
    const { slug } = await api.create();
    await until("every process serves", isComplete);
    const stopped = signalFirst(kurz.processes("redirect"), "SIGSTOP");
    const goneMs = await until("the stopped process is killed", () => !isAlive(stopped), REPLACED_MS_MAX);
    await until("a new process listens", isComplete, REPLACED_MS_MAX);
    process.stderr.write(`a hung process was killed after ${Math.round(goneMs)} ms\n`);
    expect(await visitEverywhere(`/${slug}`)).toEqual(new Set([302]));
  },
  TIMEOUT_MS,
);
