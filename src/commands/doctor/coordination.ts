import { enginePlaces } from "#config/engine-places.ts";
import type { CoordinationFacts } from "#engines/coordination/coordination-facts.ts";
import { inspectCoordination } from "#engines/open-engines.ts";
import { isShared } from "#engines/places.ts";
import { type Check, type Finding, ok, warning } from "./check.ts";

// It is asked once per request of the API.
const LATENCY_MS_MAX = 10;

/** The server through which nodes share limits. Nothing stops without it, so there are only warnings. */
export const coordination: Check = {
  name: "coordination",
  async run({ config }) {
    const places = enginePlaces(config);
    const facts = await inspectCoordination(places.coordination);
    if (facts !== null) return judgeCoordination(facts);
    return isShared(places.records)
      ? [warning("REDIS_URL isn't set: fine for a single node, but several must share limits and jobs through it")]
      : [];
  },
};

export function judgeCoordination(facts: CoordinationFacts): Finding[] {
  if ("problem" in facts) {
    return [warning(`REDIS_URL can't be used: ${facts.problem}; each node limits by itself meanwhile`)];
  }
  const { version, isOutdated, latencyMs, drops, writesToDisk } = facts;
  const latency = `${latencyMs.toFixed(1)} ms`;
  const warnings = [
    isOutdated && `${version} is too old; use Redis 6.2 or later, or Valkey`,
    latencyMs > LATENCY_MS_MAX && `answers take ${latency}, which every API request waits for; move it closer`,
    drops !== null &&
      `its eviction policy, ${drops}, may drop limits that still count; set maxmemory-policy noeviction`,
    writesToDisk &&
      'it writes to disk, where salts of past days may be found; set save "" and appendonly no: Kurz needs no file of it',
  ].filter((text) => text !== false);
  if (warnings.length > 0) return warnings.map(warning);
  return [ok(`${version} answers within ${latency}`)];
}
