import { startConsole } from "#test/support/console-client.ts";
import type { KurzServer } from "#test/support/kurz-server.ts";
import { startLightUse } from "../light-use.ts";
import { memoryOf } from "../process-figures.ts";
import { megabytes, type Row } from "../report.ts";
import { copyRuntime } from "../runtime-of-its-own.ts";
import type { Stage } from "../stage.ts";
import { median } from "../statistics.ts";
import type { Bench } from "./bench-definition.ts";

const LINKS = 100;
const MINUTES = { full: 60, quick: 5 };
const MINUTE_MS = 60_000;
const MEMORY_MAX = 120;
// What a garbage collection that happens to be due makes up.
const FLAT_MAX = 10;

/** Megabytes by process, with shared pages counted once. */
type Sample = Readonly<Record<"supervisor" | "redirect" | "control", number>>;

/** The memory of a small server on an ordinary day, which must not depend on how long the day has been. */
export const idle: Bench = {
  name: "idle",
  about: "memory of all processes during an hour of light use (five minutes with --quick)",
  onlyByName: true,
  async run(stage) {
    using runtime = copyRuntime();
    const { server, owner, stop } = await startConsole(
      { KURZ_METRICS_ADDR: "127.0.0.1:0" },
      { program: [runtime.program] },
    );
    try {
      const token = await server.newToken(owner.account);
      const use = await startLightUse({ url: server.url, token, console: owner, links: LINKS });
      const samples = await sampleEachMinute(stage, server);
      await use.stop();
      return rowsOf(samples);
    } finally {
      await stop();
    }
  },
};

async function sampleEachMinute(stage: Stage, server: KurzServer): Promise<Sample[]> {
  const samples: Sample[] = [];
  const minutes = stage.isQuick ? MINUTES.quick : MINUTES.full;
  while (samples.length < minutes) {
    await Bun.sleep(MINUTE_MS);
    const sample = sampleOf(server);
    samples.push(sample);
    const parts = Object.entries(sample).map(([role, value]) => `${role} ${value.toFixed(1)}`);
    stage.say(`minute ${samples.length}: ${megabytes(sumOf(sample))} (${parts.join(", ")})`);
  }
  return samples;
}

const sampleOf = (server: KurzServer): Sample => ({
  supervisor: memoryOf([server.supervisor.pid]).proportional,
  redirect: memoryOf(server.processes("redirect")).proportional,
  control: memoryOf(server.processes("control")).proportional,
});

const sumOf = (sample: Sample): number => Object.values(sample).reduce((sum, value) => sum + value, 0);

/** Compares a tenth of the time at the beginning, after what is loaded when it is first used, with one at the end. */
function rowsOf(samples: readonly Sample[]): Row[] {
  const tenth = Math.max(1, Math.floor(samples.length / 10));
  const medianOf = (some: readonly Sample[], role?: keyof Sample): number =>
    median(some.map((sample) => (role === undefined ? sumOf(sample) : sample[role])));
  const first = samples.slice(tenth, 2 * tenth);
  const last = samples.slice(-tenth);
  const most = Math.max(...samples.map(sumOf));
  const growth = medianOf(last) - medianOf(first);
  return [
    {
      name: `memory of all processes, most in ${samples.length} minutes of light use`,
      ours: megabytes(most),
      target: `≤ ${MEMORY_MAX} MB`,
      isOk: most <= MEMORY_MAX,
    },
    {
      name: "  at the end, compared with the beginning",
      ours: megabytes(medianOf(last)),
      baseline: megabytes(medianOf(first)),
      ratio: medianOf(last) / medianOf(first),
      target: `≤ ${FLAT_MAX} MB more`,
      isOk: growth <= FLAT_MAX,
    },
    ...(["supervisor", "redirect", "control"] as const).map((role) => ({
      name: `  of it ${role}`,
      ours: megabytes(medianOf(last, role)),
      baseline: megabytes(medianOf(first, role)),
    })),
  ];
}
