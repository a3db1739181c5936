import type { CoordinationFacts } from "./coordination-facts.ts";
import { parseRedisUrl } from "./redis-address.ts";
import { RedisLink } from "./redis-link.ts";

const PINGS = 5;
const VERSION_MIN = [6, 2] as const;
const noListener = { channels: () => [], onMessage() {}, onResumed() {} };

export async function inspectRedis(url: string): Promise<CoordinationFacts> {
  let away = "";
  const link = new RedisLink({
    address: parseRedisUrl(url),
    onChange: (_isUp, problem) => {
      away ||= problem ?? "";
    },
  });
  try {
    await link.open(noListener);
    if (!link.isUp) return { problem: away };
    const info = parseInfo(await link.call((redis) => redis.info()));
    const version = info.get("valkey_version") ?? info.get("redis_version") ?? "";
    const policy = info.get("maxmemory_policy") ?? "noeviction";
    return {
      version: `${info.has("valkey_version") ? "Valkey" : "Redis"} ${version}`,
      isOutdated: isBefore(version, VERSION_MIN),
      latencyMs: await measureLatency(link),
      drops: info.get("maxmemory") !== "0" && policy !== "noeviction" ? policy : null,
      writesToDisk: info.get("aof_enabled") === "1" || (await savesSnapshots(link)),
    };
  } finally {
    await link.close();
  }
}

async function measureLatency(link: RedisLink): Promise<number> {
  const times: number[] = [];
  for (let n = 0; n < PINGS; n += 1) {
    const startedAt = performance.now();
    await link.call((redis) => redis.ping());
    times.push(performance.now() - startedAt);
  }
  return times.toSorted((a, b) => a - b)[Math.floor(PINGS / 2)] ?? 0;
}

/** Users without the right to read the configuration don't learn it. */
const savesSnapshots = (link: RedisLink): Promise<boolean> =>
  link.call((redis) =>
    redis.config("GET", "save").then(
      (answer) => Array.isArray(answer) && answer[1] !== "",
      () => false,
    ),
  );

const parseInfo = (text: string): Map<string, string> =>
  new Map([...text.matchAll(/^(\w+):(.*?)\r?$/gm)].map(([, name = "", value = ""]) => [name, value]));

function isBefore(version: string, [major, minor]: readonly [number, number]): boolean {
  const [ownMajor = 0, ownMinor = 0] = version.split(".").map(Number);
  return ownMajor < major || (ownMajor === major && ownMinor < minor);
}
