import type { MissCount } from "./change-messages.ts";
import type { RedisLink } from "./redis-link.ts";
import { NOW, RedisScript } from "./redis-script.ts";
import type { SharedMisses } from "./shared-misses.ts";

// Like the tally of a node: misses per second, rounded so the limit is never exceeded. Returns a wait for each key.
const ADD = new RedisScript(`${NOW}
local second, limit, window = math.floor(now / 1000), tonumber(ARGV[1]), 60
local waits = {}
for i, key in ipairs(KEYS) do
  redis.call('HINCRBY', key, second, ARGV[i + 1])
  redis.call('EXPIRE', key, window + 2)
  local fields = redis.call('HGETALL', key)
  local buckets, total = {}, 0
  for n = 1, #fields, 2 do
    local at = tonumber(fields[n])
    -- Also those of the future, which a clock that was set back leaves behind.
    if at < second - window or at > second then
      redis.call('HDEL', key, fields[n])
    else
      local misses = tonumber(fields[n + 1])
      buckets[#buckets + 1] = {at, misses}
      total = total + misses
    end
  end
  table.sort(buckets, function(a, b) return a[1] < b[1] end)
  local free_at = 0
  for _, bucket in ipairs(buckets) do
    if total < limit then break end
    total = total - bucket[2]
    free_at = (bucket[1] + 1 + window) * 1000
  end
  waits[i] = free_at == 0 and 0 or math.max(1, free_at - now)
end
return waits
`);

// A script holds up everyone else on the server while it runs.
const ADDRESSES_PER_CALL = 50;

export interface RedisMissesOptions {
  readonly link: Pick<RedisLink, "run">;
  readonly keyOf: (address: string) => string;
  readonly limit: number;
}

export function redisMisses({ link, keyOf, limit }: RedisMissesOptions): SharedMisses {
  const addSome = async (counts: readonly MissCount[]) => {
    const keys = counts.map(([address]) => keyOf(address));
    const waits = (await link.run(ADD, keys, [limit, ...counts.map(([, misses]) => misses)])) as number[];
    return counts.map(([address], index) => [address, waits[index] ?? 0] as const).filter(([, forMs]) => forMs > 0);
  };
  return {
    async add(counts) {
      const chunks = Array.from({ length: Math.ceil(counts.length / ADDRESSES_PER_CALL) }, (_, n) =>
        counts.slice(n * ADDRESSES_PER_CALL, (n + 1) * ADDRESSES_PER_CALL),
      );
      // Each node counts for itself while the server is away.
      return (await Promise.all(chunks.map((chunk) => addSome(chunk).catch(() => [])))).flat();
    },
  };
}
