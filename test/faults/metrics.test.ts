import { afterAll, beforeAll, expect, test } from "bun:test";
import { dataPaths } from "#config/data-paths.ts";
import { BROWSER } from "#test/support/click-counts.ts";
import { readExposition } from "#test/support/exposition.ts";
import { type KurzServer, startKurz } from "#test/support/kurz-server.ts";
import { type LinkApi, startKurzWithApi } from "#test/support/link-api.ts";
import { signalFirst } from "#test/support/process-table.ts";
import { until } from "#test/support/until.ts";

let kurz: KurzServer;
let api: LinkApi;

beforeAll(async () => {
  ({ kurz, api } = await startKurzWithApi({
    env: { KURZ_REDIRECT_PROCESSES: "2", KURZ_METRICS_ADDR: "127.0.0.1:0", KURZ_RATE_LIMIT_PER_MINUTE: "0" },
  }));
  await api.create({ slug: "measured" });
});
afterAll(() => kurz.stop());

const addressOf = ({ output }: KurzServer): string | undefined => /Metrics {2}(\S+)/.exec(output.stderr)?.[1];

async function scrape(): Promise<Map<string, number>> {
  await until("the address is printed", () => addressOf(kurz) !== undefined);
  return readExposition(await (await fetch(addressOf(kurz) ?? "")).text());
}

async function visit(path: string, count = 1): Promise<void> {
  for (let at = 0; at < count; at += 1) {
    await fetch(`${kurz.url}${path}`, { redirect: "manual", keepalive: false, headers: { "user-agent": BROWSER } });
  }
}

const reaches = (series: string, value: number): Promise<number> =>
  until(`${series} is ${value}`, async () => (await scrape()).get(series) === value);

const visits = (outcome: string): string => `kurz_short_link_requests_total{outcome="${outcome}"}`;

test("every visit is counted by outcome, and every click at each step", async () => {
  await visit("/measured", 20);
  await visit("/measured+");
  await visit("/never-made", 3);
  await reaches(visits("redirected"), 20);
  await reaches(visits("previewed"), 1);
  await reaches(visits("unknown"), 3);
  await reaches("kurz_clicks_journaled_total", 20);
  await reaches('kurz_clicks_ingested_total{consumer="reports"}', 20);
  await reaches('kurz_clicks_ingested_total{consumer="link_counts"}', 20);
  await reaches('kurz_journal_lag_bytes{consumer="reports"}', 0);
  const figures = await scrape();
  expect(figures.get('kurz_api_requests_total{route="links.create",status="2xx"}')).toBe(1);
  expect(figures.get('kurz_api_request_duration_seconds_count{route="links.create"}')).toBe(1);
  expect(figures.get("kurz_journal_bytes")).toBeGreaterThan(0);
  expect(figures.get('kurz_data_bytes{file="clicks"}')).toBeGreaterThan(0);
  for (const [series, value] of figures) if (series.startsWith("kurz_clicks_dropped")) expect(value).toBe(0);
  for (const process of ["supervisor", "control", "redirect-0", "redirect-1"]) {
    expect(figures.get(`kurz_process_cpu_seconds_total{process="${process}"}`)).toBeGreaterThan(0);
    expect(figures.get(`kurz_process_resident_memory_bytes{process="${process}"}`)).toBeGreaterThan(1e6);
  }
});

test("counts survive the processes they come from, and metrics survive control", async () => {
  const before = await scrape();
  expect(before.get(visits("redirected"))).toBe(20);
  for (const pid of [...kurz.processes("redirect"), ...kurz.processes("control")]) process.kill(pid, "SIGKILL");
  for (const name of ["redirect-0", "redirect-1", "control"]) {
    await until(`the end of ${name} is seen`, async () => {
      const now = await scrape();
      expectNothingFell(before, now);
      return (now.get(`kurz_process_restarts_total{process="${name}"}`) ?? 0) > 0;
    });
  }
  for (const name of ["redirect-0", "redirect-1", "control"]) await reaches(`kurz_process_up{process="${name}"}`, 1);
  await visit("/measured", 5);
  await reaches(visits("redirected"), 25);
  await reaches('kurz_clicks_ingested_total{consumer="reports"}', 25);
  expectNothingFell(before, await scrape());
});

test("while control hangs, redirects are still counted and the journal is seen to grow", async () => {
  const journalBytes = async (): Promise<number> => (await scrape()).get("kurz_journal_bytes") ?? 0;
  let made = 25;
  await until("the journal has grown", async () => {
    // On a busy machine the hanging one may be replaced, and the next deletes what it has read: then once more.
    await reaches('kurz_process_up{process="control"}', 1);
    signalFirst(kurz.processes("control"), "SIGSTOP");
    const before = await journalBytes();
    await visit("/measured", 5);
    made += 5;
    await reaches(visits("redirected"), made);
    return (await journalBytes()) > before;
  });
  signalFirst(kurz.processes("control"), "SIGCONT");
  await reaches('kurz_clicks_ingested_total{consumer="reports"}', made);
});

test("metrics contain nothing personal and no slug", async () => {
  const text = await (await fetch(addressOf(kurz) ?? "")).text();
  for (const secret of ["measured", "never-made", "example.com", "Chrome", "127.0.0.1", kurz.dataDir]) {
    expect(text).not.toContain(secret);
  }
});

test("a port in use is a warning, and the doctor still reports lost clicks", async () => {
  const taken = new URL(addressOf(kurz) ?? "").host;
  const second = await startKurz({ env: { KURZ_METRICS_ADDR: taken } });
  await until("the server runs", () => second.output.stderr.includes("Kurz is running"));
  expect(second.output.stderr).toContain(`Warning: no metrics: cannot listen on ${taken}: the port is in use.`);
  const { stdout } = await second.kurz(["doctor"]);
  expect(stdout).toMatch(/^ok +lost clicks +none since the start$/m);
  expect(stdout).toMatch(/^ok +journal +0 bytes of at most 8.0 GiB$/m);
  expect(stdout).toMatch(/^ok +server +running as process \d+ with redirect \d+.*, control \d+$/m);
  expect(await second.stop()).toBe(0);
});

test("switched off, no address is printed, and the socket in the data directory still answers", async () => {
  const second = await startKurz({ env: { KURZ_METRICS_ADDR: "off" } });
  await until("the server runs", () => second.output.stderr.includes("Kurz is running"));
  expect(second.output.stderr).not.toMatch(/metrics/i);
  const unix = dataPaths(second.dataDir).metricsSocket;
  const figures = readExposition(await (await fetch("http://localhost/metrics", { unix })).text());
  expect(figures.get('kurz_process_up{process="control"}')).toBe(1);
  expect(await second.stop()).toBe(0);
});

/** Only gauges may fall. */
function expectNothingFell(before: ReadonlyMap<string, number>, now: ReadonlyMap<string, number>): void {
  const counted = [...before].filter(([series]) => /_(?:total|bucket|sum|count)(?:\{|$)/.test(series));
  expect(counted.filter(([series, value]) => (now.get(series) ?? -1) < value)).toEqual([]);
}
