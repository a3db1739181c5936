import type { ClientReport, LoadSpec, LoadStream, StreamReport } from "./load.ts";
import { newLinkBody } from "./new-link.ts";
import { quantile } from "./statistics.ts";

const { url, token, seconds, streams } = JSON.parse(Bun.argv[2] ?? "") as LoadSpec;
const deadline = performance.now() + seconds * 1000;
const authorization = `Bearer ${token}`;
// A different start for each client, so that their links differ.
let links = Math.floor(Math.random() * 1e9);
let problem: string | null = null;

const newBody = (linksAtOnce: number | undefined): object => {
  if (linksAtOnce === undefined) return newLinkBody(++links);
  return { operations: Array.from({ length: linksAtOnce }, () => ({ op: "create", link: newLinkBody(++links) })) };
};

async function call({ method, linksAtOnce }: LoadStream, target: string): Promise<void> {
  const init: RequestInit =
    method === "GET"
      ? { headers: { authorization } }
      : {
          method,
          headers: { authorization, "content-type": "application/json" },
          body: JSON.stringify(newBody(linksAtOnce)),
        };
  const response = await fetch(url + target, init);
  const text = await response.text();
  if (!response.ok) problem ??= `${response.status} to ${method} ${target}: ${text}`;
}

async function run(stream: LoadStream): Promise<StreamReport> {
  const { name, inFlight, targets, requestsMax = Number.POSITIVE_INFINITY } = stream;
  const latencies: number[] = [];
  let started = 0;
  const loop = async (): Promise<void> => {
    while (performance.now() < deadline && problem === null && started < requestsMax) {
      const target = targets[started % targets.length] ?? "/";
      started += 1;
      const from = performance.now();
      await call(stream, target);
      latencies.push(performance.now() - from);
    }
  };
  await Promise.all(Array.from({ length: inFlight }, loop));
  return { name, requests: latencies.length, p50: quantile(latencies, 0.5), p99: quantile(latencies, 0.99) };
}

const reports = await Promise.all(streams.map(run));
process.stdout.write(JSON.stringify({ streams: reports, problem } satisfies ClientReport));
