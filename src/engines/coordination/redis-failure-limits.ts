import type { FailureLimit, FailureLimits } from "./failure-limits.ts";
import type { RedisLink } from "./redis-link.ts";
import { NOW, RedisScript } from "./redis-script.ts";

// A doubling wait is a hash with the number of failures and the time of the last one, a window a list of times, newest
// first. If the clock was set back, nobody waits longer than their limit says.
const BEGIN = new RedisScript(`${NOW}
local function wait_of(key, kind, a, b, c)
  if kind == 'doubling' then
    local known = redis.call('HMGET', key, 'count', 'last')
    local count, last = tonumber(known[1] or 0), tonumber(known[2] or 0)
    if count < a or last <= now - c then return 0 end
    return math.min(b, last + math.min(b, 1000 * 2 ^ (count - a)) - now)
  end
  local oldest = redis.call('LINDEX', key, a - 1)
  if not oldest or tonumber(oldest) < now - b then return 0 end
  if c < 0 then return math.min(b, tonumber(oldest) + b - now) end
  return math.min(c, tonumber(redis.call('LINDEX', key, 0)) + c - now)
end
for i, key in ipairs(KEYS) do
  local at = i * 4 - 3
  local wait = wait_of(key, ARGV[at], tonumber(ARGV[at + 1]), tonumber(ARGV[at + 2]), tonumber(ARGV[at + 3]))
  if wait > 0 then return {i, wait} end
end
for i, key in ipairs(KEYS) do
  local at = i * 4 - 3
  if ARGV[at] == 'doubling' then
    if tonumber(redis.call('HGET', key, 'last') or 0) <= now - ARGV[at + 3] then redis.call('DEL', key) end
    redis.call('HINCRBY', key, 'count', 1)
    redis.call('HSET', key, 'last', now)
    redis.call('PEXPIRE', key, ARGV[at + 3])
  else
    redis.call('LPUSH', key, now)
    redis.call('LTRIM', key, 0, tonumber(ARGV[at + 1]) - 1)
    redis.call('PEXPIRE', key, tonumber(ARGV[at + 2]) + 1)
  end
end
return {0, now}
`);

const SUCCEED = new RedisScript(`
for i, key in ipairs(KEYS) do
  if ARGV[i + 1] == 'doubling' then redis.call('DEL', key) else redis.call('LREM', key, 1, ARGV[1]) end
end
return 1
`);

export interface RedisFailureLimitsOptions {
  readonly link: Pick<RedisLink, "run">;
  readonly keyOf: (limit: FailureLimit) => string;
  /** Decides while the server is away. */
  readonly local: FailureLimits;
  readonly onFallback: () => void;
}

export function redisFailureLimits({ link, keyOf, local, onFallback }: RedisFailureLimitsOptions): FailureLimits {
  return {
    async begin(limits) {
      const keys = limits.map(keyOf);
      let blockedBy: number;
      let value: number;
      try {
        [blockedBy, value] = (await link.run(BEGIN, keys, limits.flatMap(valuesOf))) as [number, number];
      } catch {
        onFallback();
        return local.begin(limits);
      }
      const limit = limits[blockedBy - 1];
      if (limit) return { waitMs: value, limit };
      // What is tried on this node also counts here: it still does if the server goes away now.
      const own = await local.begin(limits);
      return {
        waitMs: 0,
        async succeed() {
          if ("succeed" in own) await own.succeed();
          // If it can't be told, the attempt counts as a failure until its limit forgets it.
          await link.run(SUCCEED, keys, [value, ...limits.map(({ kind }) => kind)]).catch(() => {});
        },
      };
    },
  };
}

const valuesOf = (limit: FailureLimit): (string | number)[] =>
  limit.kind === "doubling"
    ? [limit.kind, limit.free, limit.waitMsMax, limit.forgottenAfterMs]
    : [limit.kind, limit.limit, limit.windowMs, limit.waitMs ?? -1];
