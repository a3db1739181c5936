import { join } from "node:path";
import type { Config } from "./settings.ts";

/** Of one address to the API and the console. */
export const DEMO_REQUESTS_PER_MINUTE = 60;
/** Opening one page of the console makes several. */
export const DEMO_CONSOLE_CALLS_PER_MINUTE = 300;

const MINUTE_MS = 60_000;
const DAY_MS = 1440 * MINUTE_MS;
// A limit per token would make visitors of the shared token wait for each other; the front limits each address instead.
const RATE_LIMIT_PER_MINUTE = 1_000_000;

/** One life of the demo's data: a server of its own, which only the demo's front can reach and which sends nothing. */
export const generationConfig = (config: Config, generation: number): Config => ({
  ...config,
  dataDir: join(config.dataDir, `generation-${generation}`),
  redirectProcesses: 1,
  // The demo tells its own, whichever generation serves.
  metricsAddress: null,
  trustProxy: 1,
  trustProxyRequestId: true,
  rateLimitPerMinute: config.rateLimitPerMinute === 0 ? 0 : RATE_LIMIT_PER_MINUTE,
  notFoundRedirect: null,
  signUp: "closed",
  smtpUrl: null,
  blocklistFile: null,
  // Written with the data: how many links there may be depends on how many were made.
  plansFile: join(config.dataDir, `generation-${generation}`, "plans.json"),
  defaultPlan: "unlimited",
});

/** What a caller is told of its limit, which the front keeps. */
export const shownRateLimit = ({ demo, rateLimitPerMinute }: Config): number =>
  demo && rateLimitPerMinute > 0 ? DEMO_REQUESTS_PER_MINUTE : rateLimitPerMinute;

/** When the demo starts anew next: at midnight in any case, so that each day has the same times. */
export const nextResetMs = (nowMs: number, { demoResetMinutes }: Pick<Config, "demoResetMinutes">): number => {
  const everyMs = demoResetMinutes * MINUTE_MS;
  const sinceMidnightMs = nowMs % DAY_MS;
  const nextSinceMidnightMs = (Math.floor(sinceMidnightMs / everyMs) + 1) * everyMs;
  return nowMs - sinceMidnightMs + Math.min(nextSinceMidnightMs, DAY_MS);
};
