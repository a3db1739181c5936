import type { Tag } from "#contract/tags.ts";
import { COMMON_TAG } from "../data/link-rows.ts";
import { runLoad } from "../load.ts";
import { cpuMicrosOf } from "../process-figures.ts";
import { atMost, millis, type Row } from "../report.ts";
import { POPULAR_LINES, type Subject } from "../stage.ts";
import { median } from "../statistics.ts";
import { runWrk } from "../wrk.ts";
import type { Bench } from "./bench-definition.ts";

const NEW_NAME = "bench-renamed";
const SECONDS = 2;
const ROUNDS = { full: 4, quick: 1 };
const THINK_MS = 10;
const TIMES_MAX = 1.5;
const POLL_MS = 250;

interface Watched {
  readonly redirectP99: number;
  readonly apiP50: number;
  readonly apiP99: number;
}

/** Last but for those that start servers of their own: it changes a fifth of the links. */
export const retag: Bench = {
  name: "retag",
  about: "renames a tag of a fifth of 900 000 links: links per second, and what redirects and the API notice",
  async run(stage) {
    const subject = await stage.large();
    const rounds = stage.isQuick ? ROUNDS.quick : ROUNDS.full;
    const alone: Watched[] = [];
    const meanwhile: Watched[] = [];
    for (let round = 0; round < rounds; round += 1) alone.push(await watch(subject));
    const before = cpuMicrosOf(subject.control);
    const started = performance.now();
    await ask(subject, COMMON_TAG, { method: "PATCH", body: JSON.stringify({ name: NEW_NAME }) });
    for (let round = 0; round < rounds; round += 1) meanwhile.push(await watch(subject));
    const { link_count } = await finish(subject);
    const seconds = (performance.now() - started) / 1000;
    const cpu = (cpuMicrosOf(subject.control) - before) / link_count;
    const figure = (of: (each: Watched) => number, each: readonly Watched[]): number => median(each.map(of));
    const compare = (name: string, of: (each: Watched) => number): Row & { readonly ratio: number } => ({
      name,
      ours: millis(figure(of, meanwhile)),
      baseline: millis(figure(of, alone)),
      ratio: figure(of, meanwhile) / figure(of, alone),
    });
    return [
      { name: `${link_count} links renamed, per second`, ours: (link_count / seconds).toFixed(0) },
      { name: "CPU of control per link, with what the watchers asked", ours: `${cpu.toFixed(0)} µs` },
      atMost(
        compare("redirect p99 meanwhile, beside alone", ({ redirectP99 }) => redirectP99),
        TIMES_MAX,
      ),
      compare("API call p50 meanwhile, beside alone", ({ apiP50 }) => apiP50),
      compare("API call p99 meanwhile, beside alone", ({ apiP99 }) => apiP99),
    ];
  },
};

async function watch({ server, data, bigToken }: Subject): Promise<Watched> {
  const paths = { pathFile: data.popularFile, lines: POPULAR_LINES };
  const { p99 } = await runWrk({ url: server.url, ...paths, seconds: SECONDS, thinkMs: THINK_MS });
  const streams = [{ name: "me", inFlight: 1, method: "GET", targets: ["/api/v1/me"] }] as const;
  const { streams: reports } = await runLoad({ url: server.url, token: bigToken, seconds: SECONDS, streams });
  return { redirectP99: p99, apiP50: reports[0]?.p50 ?? 0, apiP99: reports[0]?.p99 ?? 0 };
}

async function ask({ server, bigToken }: Subject, tag: string, init: RequestInit = {}): Promise<Tag> {
  const headers = { authorization: `Bearer ${bigToken}`, "content-type": "application/json" };
  const answer = await fetch(`${server.url}/api/v1/tags/${tag}`, { ...init, headers });
  if (!answer.ok) throw new Error(`${answer.status}: ${await answer.text()}`);
  return (await answer.json()) as Tag;
}

async function finish(subject: Subject): Promise<Tag> {
  for (;;) {
    const tag = await ask(subject, NEW_NAME);
    if (!tag.pending) return tag;
    await Bun.sleep(POLL_MS);
  }
}
