import { join } from "node:path";
import type { Config } from "./settings.ts";

/** Requests from one network to the API. */
export const DEMO_REQUESTS_PER_MINUTE = 60;
/** Opening one console page makes several. */
export const DEMO_CONSOLE_CALLS_PER_MINUTE = 300;

/** The proxy removes it from requests of others. */
const DEMO_COUNTRY_HEADER = "x-kurz-demo-country";

/** In which the demo's own visitors name their country, as do those of the operator's proxy if it knows theirs. */
export const demoCountryHeader = ({ geoCountryHeader }: Pick<Config, "geoCountryHeader">): string =>
  geoCountryHeader ?? DEMO_COUNTRY_HEADER;

const MINUTE_MS = 60_000;
const DAY_MS = 1440 * MINUTE_MS;
// Everyone shares the published token, so a limit per token would make them wait for each other. The proxy limits each
// network instead.
const RATE_LIMIT_PER_MINUTE = 1_000_000;

/** The settings of one generation of the demo: a server that only the demo's proxy can reach, and that sends nothing. */
export const generationConfig = (config: Config, generation: number): Config => ({
  ...config,
  dataDir: join(config.dataDir, `generation-${generation}`),
  databaseUrl: null,
  databaseReadUrl: null,
  clickhouseUrl: null,
  redisUrl: null,
  redirectProcesses: 1,
  // The demo publishes metrics itself, across generations.
  metricsAddress: null,
  trustProxy: 1,
  trustProxyRequestId: true,
  geoCountryHeader: demoCountryHeader(config),
  rateLimitPerMinute: config.rateLimitPerMinute === 0 ? 0 : RATE_LIMIT_PER_MINUTE,
  notFoundRedirect: null,
  signUp: "closed",
  smtpUrl: null,
  blocklistFile: null,
  // Written with the data: the link limits depend on how many links were created.
  plansFile: join(config.dataDir, `generation-${generation}`, "plans.json"),
  defaultPlan: "unlimited",
});

/** The rate limit that callers see; in the demo, the proxy enforces it. */
export const shownRateLimit = ({ demo, rateLimitPerMinute }: Config): number =>
  demo && rateLimitPerMinute > 0 ? DEMO_REQUESTS_PER_MINUTE : rateLimitPerMinute;

/** When the demo resets next. It always resets at midnight UTC, so that the times are the same every day. */
export const nextResetMs = (nowMs: number, { demoResetMinutes }: Pick<Config, "demoResetMinutes">): number => {
  const everyMs = demoResetMinutes * MINUTE_MS;
  const sinceMidnightMs = nowMs % DAY_MS;
  const nextSinceMidnightMs = (Math.floor(sinceMidnightMs / everyMs) + 1) * everyMs;
  return nowMs - sinceMidnightMs + Math.min(nextSinceMidnightMs, DAY_MS);
};
