import type { RateDecision, RateWindows } from "./rate-windows.ts";
import type { RedisLink } from "./redis-link.ts";
import { NOW, RedisScript } from "./redis-script.ts";

// The times of the accepted requests, newest first: never more than the limit, and gone with the window.
const TAKE = new RedisScript(`${NOW}
local key, limit, window, cost = KEYS[1], tonumber(ARGV[1]), tonumber(ARGV[2]), tonumber(ARGV[3])
local used = redis.call('LLEN', key)
if used > 0 then
  local newest = tonumber(redis.call('LINDEX', key, 0))
  if newest > now + 1000 then
    -- The clock was set back. Waiting until it catches up could take hours.
    redis.call('DEL', key)
    used = 0
  elseif newest > now then
    now = newest
  end
end
-- Strictly older than the window, so even an interval that includes both ends stays within the limit.
while used > 0 and tonumber(redis.call('LINDEX', key, -1)) < now - window do
  redis.call('RPOP', key)
  used = used - 1
end
if used + cost <= limit then
  for _ = 1, cost do redis.call('LPUSH', key, now) end
  redis.call('PEXPIRE', key, window + 1)
  return {1, limit - used - cost, tonumber(redis.call('LINDEX', key, -1)) + window - now}
end
local frees = window
-- If the limit was lowered, more than the oldest one has to leave first.
if limit >= cost then frees = tonumber(redis.call('LINDEX', key, limit - cost)) + window - now end
return {0, math.max(0, limit - used), frees}
`);

export interface RedisWindowsOptions {
  readonly link: Pick<RedisLink, "run">;
  readonly keyOf: (key: string) => string;
  readonly windowMs: number;
  /** Decides while the server is away. */
  readonly local: RateWindows;
  readonly onFallback: () => void;
}

export function redisRateWindows({ link, keyOf, windowMs, local, onFallback }: RedisWindowsOptions): RateWindows {
  return {
    async take(key, limit, cost = 1) {
      let decision: RateDecision;
      try {
        const reply = await link.run(TAKE, [keyOf(key)], [limit, windowMs, cost]);
        const [allowed, remaining, freesInMs] = reply as [number, number, number];
        decision = { allowed: allowed === 1, limit, remaining, freesInMs };
      } catch {
        onFallback();
        return local.take(key, limit, cost);
      }
      // What this node accepts also counts here: it still does if the server goes away now.
      if (decision.allowed) await local.take(key, limit, cost);
      return decision;
    },
  };
}
