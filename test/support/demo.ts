import { mkdtempSync, readdirSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { Link, LinkPage } from "#contract/link-record.ts";
import { demoAccess } from "#demo/demo-access.ts";
import { type KurzServer, startKurz } from "./kurz-server.ts";
import { until } from "./until.ts";

const READY_MS_MAX = 180_000;
const RESET_MS_MAX = 180_000;
const DAY_MS = 86_400_000;
/** Longer than a file's tests take with a demo that they don't reset. */
const QUIET_MS = 120_000;
/** For a start, and a wait for midnight before it. */
export const DEMO_START_MS_MAX = QUIET_MS + 120_000;

export interface Demo extends KurzServer {
  readonly token: string;
  api(path: string, init?: RequestInit): Promise<Response>;
  /** All links that match a query. */
  links(query: string): Promise<Link[]>;
  /** Resets it, and waits until the old data is gone. */
  reset(): Promise<void>;
  generations(): string[];
}

/** The demo as `npm run demo` runs it, without rate limits and visitors of its own unless a test sets them. */
export async function startDemo(env: Readonly<Record<string, string>> = {}): Promise<Demo> {
  await untilMidnightIsFar();
  const dataDir = mkdtempSync(join(tmpdir(), "kurz-demo-"));
  const server = await startKurz({
    dataDir,
    readyMsMax: READY_MS_MAX,
    env: {
      KURZ_DEMO: "1",
      KURZ_DEMO_RESET_MINUTES: "1440",
      KURZ_DEMO_VISITS_PER_HOUR: "0",
      KURZ_RATE_LIMIT_PER_MINUTE: "0",
      ...env,
    },
  });
  const token = demoAccess.token.value;
  const api: Demo["api"] = (path, init = {}) =>
    fetch(server.url + path, { ...init, headers: { authorization: `Bearer ${token}`, ...init.headers } });
  const generations = (): string[] => readdirSync(dataDir).filter((name) => name.startsWith("generation-"));
  return {
    ...server,
    token,
    generations,
    api,
    async links(query) {
      const links: Link[] = [];
      for (let cursor: string | null = ""; cursor !== null; ) {
        const answer = await api(
          `/api/v1/links?limit=100&${query}${cursor && `&cursor=${encodeURIComponent(cursor)}`}`,
        );
        const page = (await answer.json()) as LinkPage;
        links.push(...page.data);
        cursor = page.next_cursor;
      }
      return links;
    },
    async reset() {
      const [before] = generations();
      server.supervisor.kill("SIGUSR2");
      const isReset = (): boolean => generations().length === 1 && generations()[0] !== before;
      await until("the demo is reset", isReset, RESET_MS_MAX);
    },
    async stop() {
      const code = await server.stop();
      rmSync(dataDir, { recursive: true, force: true });
      return code;
    },
  };
}

/** At midnight (UTC) every demo resets itself, and would take a test's data with it. */
export const untilMidnightIsFar = (): Promise<number> =>
  until("midnight is over", () => DAY_MS - (Date.now() % DAY_MS) > QUIET_MS, QUIET_MS + READY_MS_MAX);
