import { rmSync } from "node:fs";
import { freePort } from "#test/support/free-port.ts";
import { kurzProgram } from "#test/support/kurz-program.ts";
import type { PreparedData } from "../data/prepared-data.ts";
import { type Memory, memoryOf, processTree } from "../process-figures.ts";
import { megabytes, millis, type Row } from "../report.ts";
import { SUBJECT_ENV } from "../stage.ts";
import { median } from "../statistics.ts";
import type { Bench } from "./bench-definition.ts";

const STARTS = 5;
const STARTS_QUICK = 2;
const START_MS_MAX = 1000;
const MEMORY_MAX = 300;
const IDLE_MS = 2000;
const POLL_MS = 2;

interface Start {
  readonly ms: number;
  readonly memory: Memory;
}

export const start: Bench = {
  name: "start",
  about: "from the command to the first redirect, and the idle memory of all processes",
  async run(stage) {
    const rows: Row[] = [];
    for (const size of ["small", "large"] as const) {
      const data = await stage.prepare(size);
      const starts: Start[] = [];
      const count = stage.isQuick ? STARTS_QUICK : STARTS;
      try {
        while (starts.length < count) starts.push(await startOnce(data));
      } finally {
        rmSync(data.dataDir, { recursive: true, force: true });
      }
      const ms = median(starts.map((one) => one.ms));
      const resident = median(starts.map(({ memory }) => memory.resident));
      const proportional = median(starts.map(({ memory }) => memory.proportional));
      const links = data.links.toLocaleString("en");
      rows.push(
        {
          name: `start to first redirect, ${links} links`,
          ours: millis(ms),
          target: "≤ 1 s",
          isOk: ms <= START_MS_MAX,
        },
        {
          name: `idle memory of all processes, ${links} links`,
          ours: megabytes(resident),
          target: `≤ ${MEMORY_MAX} MB`,
          isOk: resident <= MEMORY_MAX,
        },
        { name: "  with shared pages counted once", ours: megabytes(proportional) },
      );
    }
    return rows;
  },
};

async function startOnce({ dataDir, popularFile }: PreparedData): Promise<Start> {
  const path = (await Bun.file(popularFile).slice(0, 10).text()).trim();
  const port = freePort();
  const env = {
    PATH: process.env.PATH ?? "",
    HOME: process.env.HOME ?? "",
    KURZ_DATA_DIR: dataDir,
    KURZ_PORT: String(port),
    KURZ_METRICS_ADDR: "127.0.0.1:0",
    ...SUBJECT_ENV,
  };
  const started = performance.now();
  const child = Bun.spawn([...kurzProgram(), "serve"], {
    env,
    stdin: "ignore",
    stdout: "ignore",
    stderr: "pipe",
  });
  try {
    while (!(await isRedirecting(`http://127.0.0.1:${port}${path}`))) {
      if (child.exitCode !== null) throw new Error(`the server did not start: ${await child.stderr.text()}`);
      await Bun.sleep(POLL_MS);
    }
    const ms = performance.now() - started;
    await Bun.sleep(IDLE_MS);
    return { ms, memory: memoryOf(processTree(child.pid)) };
  } finally {
    child.kill("SIGTERM");
    await child.exited;
  }
}

const isRedirecting = async (url: string): Promise<boolean> =>
  (await fetch(url, { redirect: "manual" }).catch(() => null))?.status === 302;
