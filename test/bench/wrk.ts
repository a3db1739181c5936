import { join } from "node:path";
import { cpuMicrosOf, waitUntilIdle } from "./process-figures.ts";

const SCRIPT = join(import.meta.dir, "wrk.lua");
const FIRST_ON_CORE = join(import.meta.dir, "first-on-core.ts");
const CONNECTIONS = 32;

/** What a current browser sends when a person follows a link on a page. */
const BROWSER_HEADERS = {
  "User-Agent":
    "Mozilla/5.0 (Windows NT 10.0; Win64; x64) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/141.0.0.0 Safari/537.36",
  Accept: "text/html,application/xhtml+xml,application/xml;q=0.9,image/avif,image/webp,image/apng,*/*;q=0.8",
  "Accept-Encoding": "gzip, deflate, br, zstd",
  "Accept-Language": "de-DE,de;q=0.9,en-US;q=0.8,en;q=0.7",
  Referer: "https://news.example.com/articles/2026/11/a-story",
  "Upgrade-Insecure-Requests": "1",
  "Sec-Fetch-Dest": "document",
  "Sec-Fetch-Mode": "navigate",
  "Sec-Fetch-Site": "cross-site",
  "Sec-Fetch-User": "?1",
  "sec-ch-ua": '"Chromium";v="141", "Not?A_Brand";v="8", "Google Chrome";v="141"',
  "sec-ch-ua-mobile": "?0",
  "sec-ch-ua-platform": '"Windows"',
};

export interface BurstOptions {
  readonly url: string;
  readonly pathFile: string;
  readonly firstLine?: number;
  readonly lines: number;
  readonly seconds?: number;
  /** How long each connection waits before its next request, on average; 0 for full speed. */
  readonly thinkMs?: number;
  /** Each with a different browser and address; a single one connects without a proxy. */
  readonly visitors?: number;
  /** Whether answers of 400 and above are expected. */
  readonly isMiss?: boolean;
}

interface WrkReport {
  readonly requests: number;
  readonly durationMs: number;
  readonly unexpected: number;
  readonly broken: number;
  readonly p50: number;
  readonly p99: number;
}

export interface Burst {
  readonly requests: number;
  readonly perSecond: number;
  /** Latencies in milliseconds. */
  readonly p50: number;
  readonly p99: number;
  /** CPU time per request of each watched process group, including background work, in microseconds. */
  readonly cpu: readonly number[];
}

export async function runWrk(options: BurstOptions, watched: readonly (readonly number[])[] = []): Promise<Burst> {
  const { url, pathFile, firstLine = 0, lines, seconds = 1, thinkMs = 0, visitors = 1, isMiss = false } = options;
  const headers = Object.entries(BROWSER_HEADERS).flatMap(([name, value]) => ["-H", `${name}: ${value}`]);
  const load = ["-t1", `-c${CONNECTIONS}`, `-d${seconds}s`, "--timeout", "5s"];
  const numbers = [firstLine, lines, thinkMs, visitors].map(String);
  const script = ["-s", SCRIPT, url, "--", pathFile, ...numbers];
  const before = watched.map(cpuMicrosOf);
  const child = Bun.spawn([process.execPath, FIRST_ON_CORE, "wrk", ...load, ...headers, ...script], {
    stdout: "pipe",
    stderr: "inherit",
  });
  const [text, code] = await Promise.all([new Response(child.stdout).text(), child.exited]);
  await Promise.all(watched.map(waitUntilIdle));
  const after = watched.map(cpuMicrosOf);
  const line = text.split("\n").findLast((part) => part.startsWith("{"));
  if (code !== 0 || line === undefined) throw new Error(`wrk failed with ${code}: ${text}`);
  const report = JSON.parse(line) as WrkReport;
  // A server that quickly answers something else would look fast.
  const unexpected = isMiss ? report.requests - report.unexpected : report.unexpected;
  if (unexpected + report.broken > 0) throw new Error(`wrk got unexpected answers: ${line}`);
  return {
    requests: report.requests,
    perSecond: (report.requests / report.durationMs) * 1000,
    p50: report.p50,
    p99: report.p99,
    cpu: after.map((micros, index) => (micros - (before[index] ?? 0)) / report.requests),
  };
}
