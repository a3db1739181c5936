import { interleave } from "../interleave.ts";
import { atMost, micros, millis, type Row } from "../report.ts";
import { POPULAR_LINES, type Stage, type Subject } from "../stage.ts";
import { median, medianRatio } from "../statistics.ts";
import { type Burst, runWrk } from "../wrk.ts";
import type { Bench } from "./bench-definition.ts";

const CROWD = 50_000;
const SECONDS = 2;
const TIMES_MAX = 1.1;

export const redirectServers: Bench = {
  name: "redirect-servers",
  about: "a redirect with records on PostgreSQL and coordination on Redis compared to the embedded engines",
  run: async (stage) => [...(await compare(stage, CROWD, "")), ...(await compare(stage, 1, ", one visitor"))],
};

interface Measured extends Burst {
  /** CPU per redirect of PostgreSQL and of Redis, in microseconds. */
  readonly postgres: number;
  readonly redis: number;
}

async function compare(stage: Stage, visitors: number, who: string): Promise<Row[]> {
  const embedded = await stage.small();
  const [servers, onServers] = await Promise.all([stage.servers(), stage.smallOnServers()]);
  const visit = async ({ server, data, all, redirect, control }: Subject): Promise<Measured> => {
    const before = [servers.postgresMicros(), servers.redisMicros()] as const;
    const burst = await runWrk(
      { url: server.url, pathFile: data.popularFile, lines: POPULAR_LINES, visitors, seconds: SECONDS },
      [all, redirect, control],
    );
    return {
      ...burst,
      postgres: (servers.postgresMicros() - before[0]) / burst.requests,
      redis: (servers.redisMicros() - before[1]) / burst.requests,
    };
  };
  const { ours, theirs } = await interleave(stage.rounds, {
    ours: () => visit(onServers),
    theirs: () => visit(embedded),
  });
  const cpuOf = (group: number) => (burst: Burst) => burst.cpu[group] ?? Number.NaN;
  const beside = (name: string, of: (burst: Measured) => number, format = micros) => ({
    name: name + who,
    ours: format(median(ours.map(of))),
    baseline: format(median(theirs.map(of))),
    ratio: medianRatio(ours.map(of), theirs.map(of)),
  });
  return [
    atMost(beside("CPU per redirect on servers, redirect process", cpuOf(1)), TIMES_MAX),
    beside("CPU per redirect on servers, control", cpuOf(2)),
    beside("CPU per redirect on servers, all processes of Kurz", cpuOf(0)),
    {
      name: `CPU per redirect of PostgreSQL / Redis${who}`,
      ours: [median(ours.map(({ postgres }) => postgres)), median(ours.map(({ redis }) => redis))]
        .map(micros)
        .join(" / "),
    },
    beside("redirect p50 on servers", ({ p50 }) => p50, millis),
    beside("redirect p99 on servers", ({ p99 }) => p99, millis),
  ];
}
