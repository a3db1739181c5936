import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { ClickLines } from "#sample-data/click-lines.ts";
import { fillJournal } from "#sample-data/fill-journal.ts";
import { benchClicks } from "../data/bench-clicks.ts";
import { interleave } from "../interleave.ts";
import { cpuMicrosOf, waitUntilIdle } from "../process-figures.ts";
import { micros, millis } from "../report.ts";
import type { Subject } from "../stage.ts";
import { median, medianRatio } from "../statistics.ts";
import type { Bench } from "./bench-definition.ts";

const BACKLOG = { full: 500_000, quick: 100_000 };
const LIVE_PER_SECOND = 5000;
const LIVE_SECONDS = { full: 20, quick: 6 };
const ROUNDS = { full: 3, quick: 1 };
const CPU_MICROS_MAX = { backlog: 3.5, live: 7 };
const LAG_MS_MAX = 2000;
const POLL_MS = 100;
// The size of a batch: as much of a backlog as fits, otherwise the clicks and bots of one second.
const BATCH_LINES = { backlog: 28_000, live: 5700 };

export const ingest: Bench = {
  name: "ingest",
  about: "clicks from the journal to reports and link counters: CPU of control, and latency",
  async run(stage) {
    const subject = await stage.small();
    const clicks = stage.isQuick ? BACKLOG.quick : BACKLOG.full;
    const seconds = stage.isQuick ? LIVE_SECONDS.quick : LIVE_SECONDS.full;
    const backlog = await interleave(stage.isQuick ? ROUNDS.quick : ROUNDS.full, {
      ours: () => ingestBacklog(subject, clicks),
      bare: () => ingestBare(clicks, BATCH_LINES.backlog),
    });
    const bareLive = await ingestBare(LIVE_PER_SECOND * seconds, BATCH_LINES.live);
    const { cpu } = await ingestLive(subject, seconds, false);
    const { lagMs } = await ingestLive(subject, seconds, true);
    const cpuRow = (name: string, microsMax: number, ours: readonly number[], bare: readonly number[]) => ({
      name,
      ours: micros(median(ours)),
      baseline: micros(median(bare)),
      ratio: medianRatio(ours, bare),
      target: `≤ ${microsMax} µs`,
      isOk: median(ours) <= microsMax,
    });
    return [
      cpuRow(
        "CPU per ingested click, of a backlog, beside bare inserts",
        CPU_MICROS_MAX.backlog,
        backlog.ours,
        backlog.bare,
      ),
      cpuRow(
        `CPU per ingested click, ${LIVE_PER_SECOND} a second, beside bare inserts`,
        CPU_MICROS_MAX.live,
        [cpu],
        [bareLive],
      ),
      {
        name: `longest until a click is in reports, ${LIVE_PER_SECOND} a second`,
        ours: millis(lagMs),
        target: `≤ ${LAG_MS_MAX / 1000} s`,
        isOk: lagMs <= LAG_MS_MAX,
      },
    ];
  },
};

const journalOf = ({ server }: Subject) => ({
  directory: join(server.dataDir, "journal"),
  journalBytesMax: Number.MAX_SAFE_INTEGER,
  signal: new AbortController().signal,
});

async function ingestBacklog(subject: Subject, clicks: number): Promise<number> {
  await waitUntilIdle(subject.control);
  const before = cpuMicrosOf(subject.control);
  const filled = await fillJournal(benchClicks(clicks, clicks), { ...journalOf(subject), onProgress: () => {} });
  await waitUntilIdle(subject.control);
  return (cpuMicrosOf(subject.control) - before) / (filled.clicks + filled.botHits);
}

/** The same clicks into a bare DuckDB table, in its own process. */
async function ingestBare(clicks: number, batchLines: number): Promise<number> {
  const directory = mkdtempSync(join(tmpdir(), "kurz-bench-bare-"));
  const script = join(import.meta.dir, "..", "bare-ingest.ts");
  const child = Bun.spawn([process.execPath, script, directory, String(clicks), String(batchLines)], {
    stdout: "pipe",
    stderr: "inherit",
  });
  const text = await new Response(child.stdout).text();
  rmSync(directory, { recursive: true });
  if ((await child.exited) !== 0) throw new Error("the bare inserts failed");
  return Number.parseFloat(text);
}

interface Live {
  readonly cpu: number;
  /** The longest time from writing a click to its report; 0 if not watched. */
  readonly lagMs: number;
}

/** Writes at a steady rate; a watcher requests the account report repeatedly. */
async function ingestLive(subject: Subject, seconds: number, isWatched: boolean): Promise<Live> {
  const known = await countClicks(subject);
  const written: { readonly clicks: number; readonly atMs: number }[] = [];
  let isWriting = true;
  await waitUntilIdle(subject.control);
  const before = cpuMicrosOf(subject.control);
  const writing = fillJournal(paced(benchClicks(LIVE_PER_SECOND * seconds, seconds)), {
    ...journalOf(subject),
    onProgress: (clicks) => written.push({ clicks, atMs: performance.now() }),
  }).finally(() => {
    isWriting = false;
  });
  let lagMs = 0;
  while (isWatched && isWriting) {
    const askedMs = performance.now();
    const seen = (await countClicks(subject)) - known;
    const missing = written.find(({ clicks, atMs }) => clicks > seen && atMs < askedMs);
    if (missing) lagMs = Math.max(lagMs, askedMs - missing.atMs);
    await Bun.sleep(POLL_MS);
  }
  const { clicks, botHits } = await writing;
  await waitUntilIdle(subject.control);
  return { cpu: (cpuMicrosOf(subject.control) - before) / (clicks + botHits), lagMs };
}

/** Yields each chunk when it is due. */
async function* paced(chunks: Iterable<ClickLines>): AsyncGenerator<ClickLines> {
  const started = performance.now();
  let clicks = 0;
  for (const chunk of chunks) {
    await Bun.sleep(Math.max(0, started + (clicks / LIVE_PER_SECOND) * 1000 - performance.now()));
    yield chunk;
    clicks += chunk.clicks;
  }
}

async function countClicks({ server, bigToken }: Subject): Promise<number> {
  const response = await fetch(`${server.url}/api/v1/analytics?interval=24h`, {
    headers: { authorization: `Bearer ${bigToken}` },
  });
  if (!response.ok) throw new Error(`the API answered ${response.status}: ${await response.text()}`);
  const { totals } = (await response.json()) as { totals: { clicks: number } };
  return totals.clicks;
}
