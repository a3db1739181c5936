import { afterAll, beforeAll } from "bun:test";
import { localFailureLimits } from "#engines/coordination/local-failure-limits.ts";
import { localRateWindows } from "#engines/coordination/rate-windows.ts";
import { parseRedisUrl } from "#engines/coordination/redis-address.ts";
import { redisFailureLimits } from "#engines/coordination/redis-failure-limits.ts";
import { RedisLink } from "#engines/coordination/redis-link.ts";
import { redisMisses } from "#engines/coordination/redis-misses.ts";
import { redisRateWindows } from "#engines/coordination/redis-rate-windows.ts";
import { NOW, RedisScript } from "#engines/coordination/redis-script.ts";
import { openTestNode, PATIENT_MS } from "#test/support/coordination-nodes.ts";
import { type RedisServer, startRedisServer } from "#test/support/redis-server.ts";
import { coordinationConformance } from "./coordination.suite.ts";

let server: RedisServer;

beforeAll(async () => {
  server = await startRedisServer();
});
afterAll(() => server.stop());

const noListener = { channels: () => [], onMessage() {}, onResumed() {} };

/** The scripts as they are, on the real server, but with the time of the test instead of the server's. */
function scriptsAt(link: RedisLink, now: () => number): Pick<RedisLink, "run"> {
  const timed = (script: RedisScript): RedisScript =>
    new RedisScript(script.text.replace(NOW, "local now = tonumber(ARGV[#ARGV])\n"));
  return { run: (script, keys, values) => link.run(timed(script), keys, [...values, now()]) };
}

coordinationConformance({
  name: "Redis",
  async openLimits(now) {
    const link = new RedisLink({ address: parseRedisUrl(server.url), answerMsMax: PATIENT_MS, onChange() {} });
    await link.open(noListener);
    const at = scriptsAt(link, now);
    const onFallback = (): never => {
      throw new Error("the server should have decided");
    };
    return {
      windows: (windowMs) =>
        redisRateWindows({
          link: at,
          keyOf: (key) => key,
          windowMs,
          local: localRateWindows(windowMs, now),
          onFallback,
        }),
      failures: redisFailureLimits({
        link: at,
        keyOf: ({ group, key }) => `${group} ${key}`,
        local: localFailureLimits(now),
        onFallback,
      }),
      async addMisses(address, misses, limit) {
        const [blocked] = await redisMisses({ link: at, keyOf: (key) => `misses ${key}`, limit }).add([
          [address, misses],
        ]);
        return blocked?.[1] ?? 0;
      },
      close: () => link.close(),
    };
  },
  openNodes: () => Promise.all(Array.from({ length: 3 }, () => openTestNode(server))),
});
