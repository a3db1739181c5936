import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import type { TCPSocketListener } from "bun";
import { listSegments, sumBytes } from "#clicks/journal/segments.ts";
import { dataPaths } from "#config/data-paths.ts";
import type { Link } from "#contract/link-record.ts";
import { BROWSER } from "#test/support/click-counts.ts";
import { freePort } from "#test/support/free-port.ts";
import { type KurzWithApi, startKurzWithApi } from "#test/support/link-api.ts";
import { until } from "#test/support/until.ts";
import { visit } from "#test/support/visit.ts";

const PASSWORD = "hunter2hunter2";
const VISITS = 20;

// These need no ClickHouse, only an address where none answers; test/conformance has the rest.
describe.each(["refuses connections", "accepts them and never answers"])("while the clicks server %s", (how) => {
  const metricsPort = freePort();
  let listener: TCPSocketListener | undefined;
  let stage: KurzWithApi;
  let link: Link;

  beforeAll(async () => {
    const port = freePort();
    if (how !== "refuses connections") {
      listener = Bun.listen({ hostname: "127.0.0.1", port, socket: { data() {} } });
    }
    stage = await startKurzWithApi({
      env: {
        CLICKHOUSE_URL: `http://kurz:${PASSWORD}@127.0.0.1:${port}/kurz`,
        KURZ_METRICS_ADDR: `127.0.0.1:${metricsPort}`,
        KURZ_RATE_LIMIT_PER_MINUTE: "0",
      },
    });
    link = await stage.api.create();
  });
  afterAll(async () => {
    await stage?.kurz.stop();
    listener?.stop(true);
  });

  test("links redirect and count, and the journal keeps every click", async () => {
    const { kurz, api } = stage;
    const answers = Array.from({ length: VISITS }, () =>
      visit(kurz, `/${link.slug}`, { headers: { "user-agent": BROWSER } }),
    );
    expect((await Promise.all(answers)).map(({ status }) => status)).toEqual(Array(VISITS).fill(302));
    await until("the link has counted them", async () => (await api.get(link.id)).click_count === VISITS);
    expect((await fetch(`${kurz.url}/readyz`)).status).toBe(200);
    const segments = await listSegments(dataPaths(kurz.dataDir).journal, { liveFromEpoch: 0 });
    expect(sumBytes(segments)).toBeGreaterThan(VISITS * 20);
  });

  test("operators are told, without the password", async () => {
    const { kurz } = stage;
    await until("it is in the log", () => kurz.output.stderr.includes("the server at CLICKHOUSE_URL is away"));
    await until("and in the metrics", async () =>
      (await (await fetch(`http://127.0.0.1:${metricsPort}/metrics`)).text()).includes("kurz_clicks_server_up 0"),
    );
    expect(kurz.output.stderr).not.toContain(PASSWORD);
  });

  if (how === "refuses connections") {
    test("kurz doctor names the problem, without the password", async () => {
      const { stdout, code } = await stage.kurz.kurz(["doctor"]);
      expect(code).toBe(1);
      expect(stdout).toContain("CLICKHOUSE_URL can't be used");
      expect(stdout).not.toContain(PASSWORD);
    });
  }

  if (how === "refuses connections") {
    test("a report says that there is none now", async () => {
      const answer = await stage.api.ask("GET", `/links/${link.id}/analytics`);
      expect(answer.status).toBe(503);
      expect(answer.headers.get("retry-after")).toMatch(/^\d+$/);
      expect(await answer.json()).toMatchObject({ error: { code: "unavailable" } });
    });
  }
});
