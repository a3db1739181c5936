import { CROWDS, cellsOf, compareStarts, figuresOf, spreadOf, visitInTurn } from "../fresh-starts.ts";
import { atMost, micros, millis, type Row } from "../report.ts";
import type { Stage, Starts } from "../stage.ts";
import type { Burst } from "../wrk.ts";
import type { Bench } from "./bench-definition.ts";

const TIMES_MAX = 1.1;

export const redirectServers: Bench = {
  name: "redirect-servers",
  about: "a redirect with records on PostgreSQL and coordination on Redis compared to the embedded engines",
  run: compare,
};

interface Measured extends Burst {
  /** CPU per redirect of PostgreSQL and of Redis, in microseconds. */
  readonly postgres: number;
  readonly redis: number;
}

async function compare(stage: Stage): Promise<Row[]> {
  const [servers, onServers, embedded] = await Promise.all([
    stage.servers(),
    stage.smallStartsOnServers(),
    stage.smallStarts(),
  ]);
  const turnOf = (starts: Starts) => async () => {
    await using subject = await starts.start();
    const { all, redirect, control } = subject;
    return await visitInTurn(subject, async (visit): Promise<Measured> => {
      const before = [servers.postgresMicros(), servers.redisMicros()] as const;
      const burst = await visit([all, redirect, control]);
      return {
        ...burst,
        postgres: (servers.postgresMicros() - before[0]) / burst.requests,
        redis: (servers.redisMicros() - before[1]) / burst.requests,
      };
    });
  };
  const { ours, theirs } = await compareStarts(stage, { ours: turnOf(onServers), theirs: turnOf(embedded) });
  return CROWDS.flatMap(({ who }, crowd) => {
    const beside = (name: string, of: (burst: Measured) => number, format = micros) => ({
      name: name + who,
      ...cellsOf(figuresOf(ours, crowd, of), figuresOf(theirs, crowd, of), format),
    });
    return [
      atMost(beside("CPU per redirect on servers, redirect process", cpuOf(1)), TIMES_MAX),
      beside("CPU per redirect on servers, control", cpuOf(2)),
      beside("CPU per redirect on servers, all processes of Kurz", cpuOf(0)),
      {
        name: `CPU per redirect of PostgreSQL${who}`,
        ours: spreadOf(
          figuresOf(ours, crowd, ({ postgres }) => postgres),
          micros,
        ),
      },
      {
        name: `CPU per redirect of Redis${who}`,
        ours: spreadOf(
          figuresOf(ours, crowd, ({ redis }) => redis),
          micros,
        ),
      },
      beside("redirect p50 on servers", ({ p50 }) => p50, millis),
      beside("redirect p99 on servers", ({ p99 }) => p99, millis),
    ];
  });
}

const cpuOf =
  (group: number) =>
  (burst: Burst): number =>
    burst.cpu[group] ?? Number.NaN;
