import { join } from "node:path";
import { cpuMicrosOf } from "./process-figures.ts";

export interface LoadStream {
  readonly name: string;
  readonly inFlight: number;
  readonly method: "GET" | "POST";
  /** Requested in turn. A POST has a new link as its body. */
  readonly targets: readonly string[];
  readonly requestsMax?: number;
  /** Each POST has so many links in one body; one by default. */
  readonly linksAtOnce?: number;
}

export interface LoadSpec {
  readonly url: string;
  readonly token: string;
  readonly seconds: number;
  readonly streams: readonly LoadStream[];
}

export interface StreamReport {
  readonly name: string;
  readonly requests: number;
  /** Latencies in milliseconds. */
  readonly p50: number;
  readonly p99: number;
}

export interface ClientReport {
  readonly streams: readonly StreamReport[];
  /** The first unsuccessful answer. */
  readonly problem: string | null;
}

export interface LoadReport {
  readonly streams: readonly StreamReport[];
  readonly requests: number;
  /** CPU time per request of each watched process group, in microseconds. */
  readonly cpu: readonly number[];
}

const CLIENT = join(import.meta.dir, "load-client.ts");

/** Calls the API from its own process. */
export async function runLoad(spec: LoadSpec, watched: readonly (readonly number[])[] = []): Promise<LoadReport> {
  const before = watched.map(cpuMicrosOf);
  const { streams, problem } = await startLoad(spec).report;
  const after = watched.map(cpuMicrosOf);
  if (problem !== null) throw new Error(`the API answered the load with ${problem}`);
  const requests = streams.reduce((sum, stream) => sum + stream.requests, 0);
  return {
    streams,
    requests,
    cpu: after.map((micros, index) => (micros - (before[index] ?? 0)) / requests),
  };
}

export function startLoad(spec: LoadSpec): { readonly pid: number; readonly report: Promise<ClientReport> } {
  const child = Bun.spawn([process.execPath, CLIENT, JSON.stringify(spec)], { stdout: "pipe", stderr: "inherit" });
  const report = new Response(child.stdout).text().then((text) => {
    if (text === "") throw new Error("the load client died");
    return JSON.parse(text) as ClientReport;
  });
  return { pid: child.pid, report };
}
