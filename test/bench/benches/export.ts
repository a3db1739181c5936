import { recordsIn } from "../archive-records.ts";
import { memoryOf } from "../process-figures.ts";
import { atMost, megabytes, type Row } from "../report.ts";
import type { Subject } from "../stage.ts";
import type { Bench } from "./bench-definition.ts";

const POLL_MS = 100;
/** Flat: half a million links later, it is about the same. */
const GROWTH_TIMES_MAX = 1.1;

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
  const samples: number[] = [];
  const timer = setInterval(() => samples.push(memory()), POLL_MS);
  const started = performance.now();
  const response = await fetch(`${server.url}${path}`, { headers: { Authorization: `Bearer ${bigToken}` } });
  if (!response.ok || !response.body) throw new Error(`${path} answered with ${response.status}`);
  const links = await count(response.body);
  const seconds = (performance.now() - started) / 1000;
  clearInterval(timer);
  const [first, second] = halvesOf(samples).map((half) => Math.max(...half)) as [number, number];
  return [
    { name: `${name}: ${links} links, per second`, ours: (links / seconds).toFixed(0) },
    {
      name: `${name}: memory of control at most, beside before`,
      ours: megabytes(Math.max(first, second)),
      baseline: megabytes(before),
    },
    atMost(
      {
        name: `${name}: memory of control in the second half, beside the first`,
        ours: megabytes(second),
        baseline: megabytes(first),
        ratio: second / first,
      },
      GROWTH_TIMES_MAX,
    ),
  ];
}

const halvesOf = <T>(values: readonly T[]): readonly T[][] => {
  const middle = Math.ceil(values.length / 2);
  return [values.slice(0, middle), values.slice(middle)];
};

async function countLines(body: ReadableStream<Uint8Array>): Promise<number> {
  let lines = 0;
  for await (const bytes of body) for (const byte of bytes) if (byte === 10) lines += 1;
  return lines;
}
