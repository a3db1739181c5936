import { randomUUID } from "node:crypto";
import type { Coordination } from "./coordination.ts";
import { hiddenNames } from "./hidden-names.ts";
import { localFailureLimits } from "./local-failure-limits.ts";
import { localRateWindows } from "./rate-windows.ts";
import { parseRedisUrl } from "./redis-address.ts";
import { redisAgreements } from "./redis-agreements.ts";
import { redisFailureLimits } from "./redis-failure-limits.ts";
import { RedisLease } from "./redis-leases.ts";
import { RedisLink } from "./redis-link.ts";
import { redisMisses } from "./redis-misses.ts";
import { redisRateWindows } from "./redis-rate-windows.ts";
import { RedisSignals } from "./redis-signals.ts";

export interface RedisCoordinationOptions {
  readonly url: string;
  /** The same on all nodes: with it, names such as addresses are hidden from the server. */
  readonly secret: string;
  /** The server went away, for a reason, or came back; not called for a first connection that succeeds. */
  readonly onChange: (isUp: boolean, problem: string | null) => void;
  readonly answerMsMax?: number;
  readonly leaseMs?: number;
}

/** Resolves after the first attempt to connect, even if the server is away: then each node decides for itself. */
export async function openRedisCoordination(options: RedisCoordinationOptions): Promise<Coordination> {
  const { url, secret, onChange, answerMsMax, leaseMs } = options;
  const address = parseRedisUrl(url);
  const { prefix } = address;
  const hide = hiddenNames(secret);
  const processId = randomUUID();
  const link = new RedisLink({ address, onChange, ...(answerMsMax !== undefined && { answerMsMax }) });
  const signals = new RedisSignals({ link, channelOf: (topic) => `${prefix}:signal:${topic}`, processId });
  const leases = new Set<RedisLease>();
  let fallbacks = 0;
  const onFallback = (): void => {
    fallbacks += 1;
  };
  await link.open(signals);
  return {
    rateWindows: (purpose, windowMs) =>
      redisRateWindows({
        link,
        keyOf: (key) => `${prefix}:window:${purpose}:${hide(key)}`,
        windowMs,
        local: localRateWindows(windowMs),
        onFallback,
      }),
    failures: redisFailureLimits({
      link,
      keyOf: ({ group, key }) => `${prefix}:failures:${group}:${hide(key)}`,
      local: localFailureLimits(),
      onFallback,
    }),
    misses: (limit) => redisMisses({ link, keyOf: (network) => `${prefix}:misses:${hide(network)}`, limit }),
    signals,
    lease(job) {
      const lease = new RedisLease({
        link,
        key: `${prefix}:lease:${job}`,
        startedKey: `${prefix}:leases-since`,
        processId,
        ...(leaseMs !== undefined && { lifeMs: leaseMs }),
      });
      leases.add(lease);
      return lease;
    },
    agree: redisAgreements({ link, keyOf: (name) => `${prefix}:agreement:${name}`, secret }),
    stats: () => ({ isUp: link.isUp, fallbacks }),
    async close() {
      await Promise.all([...leases].map((lease) => lease.release()));
      await link.close();
    },
  };
}
