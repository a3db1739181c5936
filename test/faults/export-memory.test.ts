import { afterAll, beforeAll, expect, setDefaultTimeout, test } from "bun:test";
import { randomBytes } from "node:crypto";
import { memoryOf } from "#test/bench/process-figures.ts";
import { recordsOf } from "#test/support/account-lab.ts";
import { startKurzWithApi } from "#test/support/link-api.ts";
import { until } from "#test/support/until.ts";

setDefaultTimeout(600_000);

const LINKS = Number(process.env.RUNS ?? 20) * 1000;
const LINKS_AT_ONCE = 200;
const PATH_BYTES = 900;
// 20,000 such links are about 50 MB of text, and their archive is half as large, so no buffer of the system takes it.
// Sixteen exports kept in memory would grow with them to 800 MB and more; what is collected late doesn't.
const EXPORTS = 16;
const GROWTH_MB_MAX = 500;
const SLOW_READS = 40;

const { kurz, api } = await startKurzWithApi({
  env: { KURZ_RATE_LIMIT_PER_MINUTE: "0", KURZ_REDIRECT_PROCESSES: "1" },
});
afterAll(async () => {
  await kurz.stop();
});

const residentMb = (): number => memoryOf([...kurz.processes("control"), ...kurz.processes("redirect")]).proportional;

beforeAll(async () => {
  for (let made = 0; made < LINKS; made += LINKS_AT_ONCE) {
    const operations = Array.from({ length: LINKS_AT_ONCE }, (_, index) => ({
      op: "create",
      link: { destination_url: `https://example.com/${randomBytes(PATH_BYTES).toString("hex")}/${made + index}` },
    }));
    expect((await api.ask("POST", "/links/bulk", { operations })).status).toBe(200);
  }
});

const countLines = async (response: Response): Promise<number> => (await response.text()).split("\n").length - 1;
const countArchived = async (response: Response): Promise<number> =>
  (await recordsOf(new Uint8Array(await response.arrayBuffer()))).links.length;

test.each([
  ["links", "/links/export", countLines],
  ["the account", "/export", countArchived],
] as const)(
  "clients that read an export of %s slowly, or not at all, cost the server next to no memory",
  async (_, path, count) => {
    const whole = async (): Promise<number> => count(await api.ask("GET", path));
    // Once, so that all code is loaded and heaps have their size.
    expect(await whole()).toBe(LINKS);
    const before = residentMb();
    const readers = await Promise.all(
      Array.from({ length: EXPORTS }, async () => (await api.ask("GET", path)).body?.getReader()),
    );
    let peak = 0;
    for (let read = 0; read < SLOW_READS; read += 1) {
      await readers[0]?.read();
      peak = Math.max(peak, residentMb());
    }
    process.stderr.write(
      `${before.toFixed(0)} MB before, at most ${peak.toFixed(0)} MB with ${EXPORTS} exports open\n`,
    );
    expect(peak - before).toBeLessThan(GROWTH_MB_MAX);
    for (const reader of readers) await reader?.cancel();
    expect(await whole()).toBe(LINKS);
    await until("nothing is left of them", async () => residentMb() - before < GROWTH_MB_MAX);
  },
);
