import { afterAll, expect, test } from "bun:test";
import { dataPaths } from "#config/data-paths.ts";
import { BROWSER, clickOnce, countsOf, settledCounts } from "#test/support/click-counts.ts";
import { readExposition } from "#test/support/exposition.ts";
import { openToEveryProcess } from "#test/support/kept-connections.ts";
import { startKurzOnSmallDisk } from "#test/support/kurz-on-small-disk.ts";
import { until } from "#test/support/until.ts";

const MEGABYTES = 48;
const CLICKS = 400;

const { disk, kurz, api, stop } = await startKurzOnSmallDisk(MEGABYTES);
afterAll(stop);

const link = await api.create();

async function clickMany(): Promise<void> {
  for (let at = 0; at < CLICKS; at += 1) expect(await clickOnce(`${kurz.url}/${link.slug}`)).toBe(302);
}

async function droppedClicks(): Promise<number> {
  const { metricsSocket } = dataPaths(kurz.dataDir);
  const text = await (await fetch("http://localhost/metrics", { unix: metricsSocket })).text();
  const series = [...readExposition(text)].filter(([name]) => name.startsWith("kurz_clicks_dropped_total"));
  return series.reduce((sum, [, value]) => sum + value, 0);
}

const createStatus = async (): Promise<number> =>
  (await api.ask("POST", "/links", { destination_url: "https://example.com/", title: "x".repeat(200) })).status;

test("on a full disk links redirect, the API answers 503, and afterwards every click is counted or reported as lost", async () => {
  await clickMany();
  disk.fill();
  await until("the disk is full for the API", async () => (await createStatus()) === 503);
  await clickMany();
  expect((await api.ask("GET", `/links/${link.id}`)).status).toBe(200);

  disk.free();
  await until("the API writes again", async () => (await createStatus()) === 201);
  await clickMany();
  // Processes report their losses a little later.
  const isComplete = async () => (await countsOf(api, link.id)).report + (await droppedClicks()) === 3 * CLICKS;
  await until("every click is counted or reported as lost", isComplete);
  const dropped = await droppedClicks();
  const expected = 3 * CLICKS - dropped;
  expect(dropped).toBeGreaterThan(0);
  expect(dropped).toBeLessThanOrEqual(CLICKS);
  expect(await settledCounts(api, link.id, expected)).toEqual({ counter: expected, report: expected });
  process.stderr.write(`${dropped} of ${CLICKS} clicks on the full disk were lost, all of them counted as lost\n`);
}, 600_000);

test("the clicks a process lost on a full disk are reported exactly, even if it is killed right after its last answer", async () => {
  const other = await api.create();
  const [{ connection, pid } = never()] = await openToEveryProcess(kurz, 1);
  const click = async (): Promise<void> => {
    const answer = await connection.request({ target: `/${other.slug}`, headers: [["User-Agent", BROWSER]] });
    expect(answer.status).toBe(302);
  };
  await click();
  const before = await droppedClicks();
  disk.fill();
  for (let at = 0; at < CLICKS; at += 1) await click();
  process.kill(pid, "SIGKILL");
  await until("it has ended", () => !kurz.processes("redirect").includes(pid));
  disk.free();
  await until("its successor runs", () => kurz.processes("redirect").length === 2);
  const lost = (await droppedClicks()) - before;
  expect(lost).toBeGreaterThan(0);
  const expected = 1 + CLICKS - lost;
  expect(await settledCounts(api, other.id, expected)).toEqual({ counter: expected, report: expected });
}, 600_000);

function never(): never {
  throw new Error("there is no redirect process");
}
