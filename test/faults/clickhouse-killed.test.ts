import { afterAll, beforeAll, expect, setDefaultTimeout, test } from "bun:test";
import { clickOnce, settledCounts } from "#test/support/click-counts.ts";
import { type ClickHouseRelay, type RelayedStatement, relayClickHouse } from "#test/support/clickhouse-relay.ts";
import {
  type ClickHouseServer,
  clickHouseTestMsMax,
  describeWithClickHouse,
  startClickHouseServer,
} from "#test/support/clickhouse-server.ts";
import { startKurzWithApi } from "#test/support/link-api.ts";
import { until } from "#test/support/until.ts";

setDefaultTimeout(clickHouseTestMsMax);
const ROUNDS = 6;
const VISITS = 20;

describeWithClickHouse("a node that stores clicks in ClickHouse", () => {
  let clickhouse: ClickHouseServer;
  let relay: ClickHouseRelay;
  /** Called at the next insert of clicks, before it arrives or after it was stored. */
  let kill: { readonly when: "before" | "after"; run(): void } | null = null;

  const act =
    (when: "before" | "after") =>
    async ({ query }: RelayedStatement): Promise<void> => {
      if (kill?.when !== when || !query.startsWith("insert into clicks ")) return;
      kill.run();
      kill = null;
    };

  beforeAll(async () => {
    clickhouse = await startClickHouseServer();
    relay = relayClickHouse(clickhouse.origin, { before: act("before"), after: act("after") });
  });
  afterAll(async () => {
    await relay?.stop();
    await clickhouse?.stop();
  });

  test("is killed while it sends them, and none is lost or counts twice", async () => {
    const { kurz, api } = await startKurzWithApi({
      env: { CLICKHOUSE_URL: `${relay.origin}/killed`, KURZ_RATE_LIMIT_PER_MINUTE: "0" },
    });
    try {
      const link = await api.create();
      for (let round = 0; round < ROUNDS; round += 1) {
        let isKilled = false;
        kill = {
          when: round % 2 === 0 ? "after" : "before",
          run() {
            for (const pid of kurz.processes("control")) process.kill(pid, "SIGKILL");
            isKilled = true;
          },
        };
        for (let visit = 0; visit < VISITS; visit += 1) expect(await clickOnce(`${kurz.url}/${link.slug}`)).toBe(302);
        await until("control was killed", () => isKilled, 120_000);
      }
      expect(await settledCounts(api, link.id, ROUNDS * VISITS)).toEqual({
        counter: ROUNDS * VISITS,
        report: ROUNDS * VISITS,
      });
    } finally {
      await kurz.stop();
    }
  });
});
