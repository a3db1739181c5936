import { afterAll, afterEach, describe, expect, setDefaultTimeout, test } from "bun:test";
import type { Socket } from "bun";
import { until } from "#test/support/until.ts";
import { dripUntilClosed, get, type LaneClient, NEVER_MS, openLaneStage, redirectsTo } from "./fixtures/lane-stage.ts";

setDefaultTimeout(600_000);
const stage = openLaneStage();
const { start, open, http, errors, shedCount } = stage;
afterEach(() => stage.close());
afterAll(() => stage.stop());

const MAX = 64;
// An unfinished head may take ten of these, which is more than this test takes to get past it on a busy machine.
const SLOW_TICK_MS = 300;

type Client = Socket<LaneClient>;

async function ask(client: Client): Promise<void> {
  const before = redirectsTo(client);
  client.write(get("/abc"));
  await until("it is answered", () => redirectsTo(client) > before);
}

const countEnded = (clients: readonly Client[]): number => clients.filter(({ data }) => data.hasServerEnded).length;

describe("when file descriptors run short", () => {
  const openAndAsk = async (count: number, lane: Parameters<typeof open>[0]): Promise<Client[]> =>
    Promise.all(
      Array.from({ length: count }, async () => {
        const client = await open(lane);
        await ask(client);
        return client;
      }),
    );

  test("unfinished heads are closed first, then the longest idle, and newcomers are served", async () => {
    const lane = start({ descriptorsMax: MAX, tickMs: SLOW_TICK_MS });
    const clock = await open(lane);
    const idle = await openAndAsk(MAX / 2 - 1, lane);
    const unfinished = await Promise.all(Array.from({ length: MAX / 2 }, () => open(lane)));
    for (const client of unfinished) client.write("GET /abc HT");
    // The lane closes it after three ticks, so those that ask again afterwards have been idle for less time.
    clock.write(get("/abc", "Connection: close\r\n"));
    await dripUntilClosed(clock);
    const recent = idle.slice(MAX / 4);
    await Promise.all(recent.map(ask));
    await openAndAsk(MAX / 4, lane);
    expect(countEnded(unfinished)).toBeGreaterThan(0);
    expect(countEnded(idle)).toBe(0);
    await openAndAsk(MAX / 4 + 1, lane);
    await until("the unfinished ones are closed", () => countEnded(unfinished) === MAX / 2);
    expect(countEnded(recent)).toBe(0);
    expect(shedCount()).toBeGreaterThanOrEqual(MAX / 2);
  });

  test("a flood of connections that send nothing doesn't keep out those that do", async () => {
    const lane = start({ descriptorsMax: MAX, tickMs: NEVER_MS });
    for (let round = 0; round < 10; round += 1) {
      await Promise.all(Array.from({ length: MAX }, () => open(lane)));
      await ask(await open(lane));
    }
    expect(shedCount()).toBeGreaterThan(MAX * 8);
  });

  test("requests for the HTTP server queue, and all are answered", async () => {
    const lane = start({ descriptorsMax: MAX, tickMs: NEVER_MS });
    const burst = await Promise.all(Array.from({ length: MAX / 2 }, () => open(lane)));
    for (const client of burst) client.write(get("/other", "Connection: close\r\n"));
    await until("all are answered", () => burst.every(({ data }) => data.received.endsWith("other")));
    expect(errors).toEqual([]);
  });

  test("no client with a request in progress is closed", async () => {
    const answerLate = stage.holdLateAnswers();
    const lane = start({ descriptorsMax: 16, tickMs: NEVER_MS });
    const served = await Promise.all(Array.from({ length: 4 }, () => open(lane)));
    for (const client of served) client.write(get("/late"));
    await until("the requests are in progress", () => http.pendingRequests === 4);
    const refused = await open(lane);
    await until("there is no room for another", () => refused.data.hasServerEnded || refused.readyState < 0);
    answerLate();
    await until("they are answered", () => served.every(({ data }) => data.received.endsWith("late")));
    await ask(await open(lane));
  });
});
