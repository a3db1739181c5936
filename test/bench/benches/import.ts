import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { Import } from "#contract/console/imports.ts";
import { spawnedKurz } from "#test/support/kurz-command.ts";
import { cpuMicrosOf, memoryOf } from "../process-figures.ts";
import { atMost, megabytes, millis, type Row } from "../report.ts";
import { POPULAR_LINES, type Subject } from "../stage.ts";
import { median } from "../statistics.ts";
import { runWrk } from "../wrk.ts";
import type { Bench } from "./bench-definition.ts";

const SIZES = { full: { links: 100_000, rowsPerLink: 10 }, quick: { links: 10_000, rowsPerLink: 10 } };
const CLICKS_PER_ROW = 5;
const SECONDS = 2;
const ROUNDS_ALONE = 4;
const THINK_MS = 10;
const TIMES_MAX = 1.5;
const MEGABYTES_MAX = 150;
const SAMPLE_MS = 200;

/** Creates links, so it is among the last. */
export const importing: Bench = {
  name: "import",
  about: "100 000 links and 5 M counted clicks from CSV: links per second, memory, and what redirects notice meanwhile",
  async run(stage) {
    const subject = await stage.small();
    const size = stage.isQuick ? SIZES.quick : SIZES.full;
    const directory = mkdtempSync(join(tmpdir(), "kurz-bench-import-"));
    try {
      const files = await writeFiles(directory, size);
      return await measure(subject, files);
    } finally {
      rmSync(directory, { recursive: true });
    }
  },
};

interface Files {
  readonly links: string;
  readonly clicks: string;
}

async function measure(subject: Subject, { links, clicks }: Files): Promise<Row[]> {
  const kurz = spawnedKurz(subject.server.dataDir);
  const account = await accountOf(subject);
  const alone: number[] = [];
  for (let round = 0; round < ROUNDS_ALONE; round += 1) alone.push(await redirectP99(subject));
  const idle = memoryOf(subject.control).resident;
  const cpuBefore = cpuMicrosOf(subject.control);
  const startedMs = performance.now();
  let most = idle;
  const watch = setInterval(() => {
    most = Math.max(most, memoryOf(subject.control).resident);
  }, SAMPLE_MS);
  let isOver = false;
  const command = kurz(["import", "csv", links, "--clicks-file", clicks, "--account", account, "--json"]).finally(
    () => {
      isOver = true;
    },
  );
  const meanwhile: number[] = [];
  while (!isOver) meanwhile.push(await redirectP99(subject));
  const { exitCode, out, err } = await command;
  clearInterval(watch);
  if (exitCode !== 0) throw new Error(err);
  const done = JSON.parse(out) as Import;
  const seconds = (performance.now() - startedMs) / 1000;
  const cpu = (cpuMicrosOf(subject.control) - cpuBefore) / 1e6;
  return [
    {
      name: `${done.links.created} links and ${done.counts.clicks} clicks, in seconds`,
      ours: `${seconds.toFixed(0)} s`,
    },
    { name: "CPU of control", ours: `${cpu.toFixed(0)} s` },
    {
      ...{ name: "memory of control, above idle", ours: megabytes(most - idle), baseline: megabytes(idle) },
      ...{ target: `≤ ${MEGABYTES_MAX} MB`, isOk: most - idle <= MEGABYTES_MAX },
    },
    atMost(
      {
        name: "redirect p99 meanwhile, beside alone",
        ours: millis(median(meanwhile)),
        baseline: millis(median(alone)),
        ratio: median(meanwhile) / median(alone),
      },
      TIMES_MAX,
    ),
  ];
}

async function redirectP99({ server, data }: Subject): Promise<number> {
  const paths = { pathFile: data.popularFile, lines: POPULAR_LINES };
  const { p99 } = await runWrk({ url: server.url, ...paths, seconds: SECONDS, thinkMs: THINK_MS });
  return p99;
}

async function accountOf({ server, bigToken }: Subject): Promise<string> {
  const answer = await fetch(`${server.url}/api/v1/me`, { headers: { authorization: `Bearer ${bigToken}` } });
  return ((await answer.json()) as { account: { id: string } }).account.id;
}

/** As a service would export them: each link has clicks on some days, by country. */
async function writeFiles(
  directory: string,
  { links, rowsPerLink }: { readonly links: number; readonly rowsPerLink: number },
): Promise<Files> {
  const files = { links: join(directory, "links.csv"), clicks: join(directory, "clicks.csv") };
  const [linkFile, clickFile] = [Bun.file(files.links).writer(), Bun.file(files.clicks).writer()];
  linkFile.write("slug,destination_url,title,tags,created_at\n");
  clickFile.write("slug,date,clicks,country\n");
  for (let no = 0; no < links; no += 1) {
    linkFile.write(
      `imported-${no},https://example.com/page/${no},Page ${no},"moved, t${no % 50}",2023-05-06T07:08:09Z\n`,
    );
    for (let row = 0; row < rowsPerLink; row += 1) {
      const day = new Date(Date.UTC(2024, 0, 1 + ((no + row * 7) % 300))).toISOString().slice(0, 10);
      clickFile.write(`imported-${no},${day},${CLICKS_PER_ROW},${["DE", "FR", "US", "IN"][row % 4]}\n`);
    }
    if (no % 1000 === 0) await Promise.all([linkFile.flush(), clickFile.flush()]);
  }
  await Promise.all([linkFile.end(), clickFile.end()]);
  return files;
}
