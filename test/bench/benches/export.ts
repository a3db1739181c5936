import { recordsIn } from "../archive-records.ts";
import { memoryOf } from "../process-figures.ts";
import { atMost, type Row } from "../report.ts";
import type { Subject } from "../stage.ts";
import type { Bench } from "./bench-definition.ts";

const POLL_MS = 100;
/** What an export may take beside what the server has anyway. */
const GROWTH_TIMES_MAX = 1.5;

export const exportBench: Bench = {
  name: "export",
  about: "all links as NDJSON, and the account as an archive: links per second, and the memory of control meanwhile",
  async run(stage) {
    const subject = await stage.large();
    return [
      ...(await measure(subject, "links as NDJSON", "/api/v1/links/export?state=all", countLines)),
      ...(await measure(subject, "the account as an archive", "/api/v1/export", (body) => recordsIn(body, "links"))),
    ];
  },
};

async function measure(
  { server, bigToken, control }: Subject,
  name: string,
  path: string,
  count: (body: ReadableStream<Uint8Array>) => Promise<number>,
): Promise<Row[]> {
  const memory = (): number => memoryOf(control).proportional;
  const before = memory();
  let peak = before;
  const timer = setInterval(() => {
    peak = Math.max(peak, memory());
  }, POLL_MS);
  const started = performance.now();
  const response = await fetch(`${server.url}${path}`, { headers: { Authorization: `Bearer ${bigToken}` } });
  if (!response.ok || !response.body) throw new Error(`${path} answered with ${response.status}`);
  const links = await count(response.body);
  const seconds = (performance.now() - started) / 1000;
  clearInterval(timer);
  return [
    { name: `${name}: ${links} links, per second`, ours: (links / seconds).toFixed(0) },
    atMost(
      {
        name: `${name}: memory of control at most, beside before`,
        ours: `${peak.toFixed(0)} MB`,
        baseline: `${before.toFixed(0)} MB`,
        ratio: peak / before,
      },
      GROWTH_TIMES_MAX,
    ),
  ];
}

async function countLines(body: ReadableStream<Uint8Array>): Promise<number> {
  let lines = 0;
  for await (const bytes of body) for (const byte of bytes) if (byte === 10) lines += 1;
  return lines;
}
