import { interleave } from "../interleave.ts";
import { runLoad } from "../load.ts";
import { micros, millis } from "../report.ts";
import type { Subject } from "../stage.ts";
import { median, medianRatio } from "../statistics.ts";
import type { Bench } from "./bench-definition.ts";

const SECONDS = 2;
const IN_FLIGHT = 16;
/** Out of reach, so that every request is counted and none refused. */
const LIMITED = { KURZ_RATE_LIMIT_PER_MINUTE: "1000000" };

export const limitsServers: Bench = {
  name: "limits-servers",
  about: "`GET /me` with a rate limit that nodes share through Redis compared to one in memory",
  async run(stage) {
    const { redis, redisMicros } = await stage.servers();
    const inMemory = await stage.smallWith(LIMITED);
    const shared = await stage.smallWith({ ...LIMITED, REDIS_URL: redis.url });
    const call = async ({ server, smallToken, control }: Subject) => {
      const before = redisMicros();
      const { cpu, requests, streams } = await runLoad(
        {
          url: server.url,
          token: smallToken,
          seconds: SECONDS,
          streams: [{ name: "me", inFlight: IN_FLIGHT, method: "GET", targets: ["/api/v1/me"] }],
        },
        [control],
      );
      return {
        control: cpu[0] ?? Number.NaN,
        redis: (redisMicros() - before) / requests,
        p50: streams[0]?.p50 ?? Number.NaN,
      };
    };
    const { ours, theirs } = await interleave(stage.rounds, { ours: () => call(shared), theirs: () => call(inMemory) });
    const beside = (name: string, of: (one: (typeof ours)[number]) => number, format: (value: number) => string) => ({
      name,
      ours: format(median(ours.map(of))),
      baseline: format(median(theirs.map(of))),
      ratio: medianRatio(ours.map(of), theirs.map(of)),
    });
    return [
      beside("CPU of control per GET /me, limit in Redis", ({ control }) => control, micros),
      beside("p50 of GET /me, limit in Redis, 16 at a time", ({ p50 }) => p50, millis),
      { name: "CPU of Redis per API call", ours: micros(median(ours.map((one) => one.redis))) },
    ];
  },
};
