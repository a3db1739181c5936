import { getAccountAnalytics } from "#contract/analytics.ts";
import { listWebhooks } from "#contract/console/webhooks.ts";
import type { Link } from "#contract/link-record.ts";
import { listLinks } from "#contract/links.ts";
import { userAgents } from "#test/support/clicks.ts";
import type { ConsoleClient } from "#test/support/console-client.ts";
import { LinkApi } from "#test/support/link-api.ts";

interface Options {
  readonly url: string;
  readonly token: string;
  readonly console: ConsoleClient;
  readonly links: number;
}

export interface LightUse {
  /** Throws what went wrong meanwhile. */
  stop(): Promise<void>;
}

const VISIT_MS = 1000;
const CALL_MS = 5000;
// As an open list of links, with the report in another tab.
const POLL_MS = 15_000;

/** A small site on an ordinary day: some visitors, a program that uses the API, and someone with the console open. */
export async function startLightUse({ url, token, console, links }: Options): Promise<LightUse> {
  const api = new LinkApi(url, token);
  const created: Link[] = [];
  for (let made = 0; made < links; made += 1) created.push(await api.create({ title: `Link ${made}` }));
  const agents = Object.values(userAgents);
  const from = <T>(list: readonly T[], turn: number): T => list[turn % list.length] as T;

  const visit = async (turn: number): Promise<void> => {
    const { slug } = from(created, turn);
    const headers = { "user-agent": from(agents, turn), "accept-language": "de-DE,de;q=0.9,en;q=0.8" };
    const { status } = await fetch(`${url}/${slug}`, { redirect: "manual", keepalive: false, headers });
    if (status !== 302) throw new Error(`a visit was answered with ${status}`);
  };
  const call = async (turn: number): Promise<void> => {
    const { id } = from(created, turn);
    const path = from(["/links", `/links/${id}`, `/links/${id}/analytics`, "/analytics?interval=30d", "/me"], turn);
    const response = await api.ask("GET", path);
    await response.arrayBuffer();
    if (response.status !== 200) throw new Error(`GET ${path} was answered with ${response.status}`);
  };
  const poll = async (): Promise<void> => {
    await console.state();
    await console.do(listLinks);
    await console.do(getAccountAnalytics);
    await console.do(listWebhooks);
  };

  const loops = [repeat(VISIT_MS, visit), repeat(CALL_MS, call), repeat(POLL_MS, poll)];
  return {
    async stop() {
      await Promise.all(loops.map((loop) => loop.stop()));
    },
  };
}

/** One after the other, with a pause in between. */
function repeat(pauseMs: number, run: (turn: number) => Promise<void>): { stop(): Promise<void> } {
  const stopped = Promise.withResolvers<true>();
  const isStopped = () => Promise.race([stopped.promise, Bun.sleep(pauseMs).then(() => false)]);
  const ended = (async () => {
    for (let turn = 0; !(await isStopped()); turn += 1) await run(turn);
  })();
  // Reported by `stop`.
  ended.catch(() => {});
  return {
    stop() {
      stopped.resolve(true);
      return ended;
    },
  };
}
