import { CROWDS, cellsOf, compareStarts, figuresOf, spreadOf, visitInTurn } from "../fresh-starts.ts";
import { atMost, micros, millis, type Row } from "../report.ts";
import type { Stage } from "../stage.ts";
import { median } from "../statistics.ts";
import type { Burst } from "../wrk.ts";
import type { Bench } from "./bench-definition.ts";

const ALL_TIMES_MAX = 1.9;
const REDIRECT_TIMES_MAX = 1.8;
const INGESTION_MICROS_MAX = 4;

export const redirect: Bench = {
  name: "redirect",
  about: "a redirect by Kurz compared to nginx `return 302` with a buffered access log",
  run: compare,
};

async function compare(stage: Stage): Promise<Row[]> {
  const [nginx, starts] = await Promise.all([stage.nginx(), stage.smallStarts()]);
  const { ours, theirs } = await compareStarts(stage, {
    async ours() {
      await using subject = await starts.start();
      const { all, redirect: alone, control } = subject;
      return await visitInTurn(subject, (visit) => visit([all, alone, control]));
    },
    theirs: () => visitInTurn({ server: nginx, data: starts.data }, (visit) => visit([nginx.pids()])),
  });
  return CROWDS.flatMap(({ who }, crowd) => {
    const figures = (of: (burst: Burst) => number) => figuresOf(ours, crowd, of);
    const beside = (name: string, of: (burst: Burst) => number, format: (value: number) => string, ofTheirs = of) => ({
      name: name + who,
      ...cellsOf(figures(of), figuresOf(theirs, crowd, ofTheirs), format),
    });
    const ingestion = figures(cpuOf(2));
    return [
      atMost(beside("CPU per redirect, all processes", cpuOf(0), micros), ALL_TIMES_MAX),
      atMost(beside("CPU per redirect, redirect process", cpuOf(1), micros, cpuOf(0)), REDIRECT_TIMES_MAX),
      {
        name: `CPU of control per click${who}`,
        ours: spreadOf(ingestion, micros),
        target: `≤ ${INGESTION_MICROS_MAX} µs`,
        isOk: median(ingestion) <= INGESTION_MICROS_MAX,
      },
      beside("redirect p50, 32 connections", ({ p50 }) => p50, millis),
      beside("redirect p99, 32 connections", ({ p99 }) => p99, millis),
      beside(
        "redirects per second",
        ({ perSecond }) => perSecond,
        (value) => value.toFixed(0),
      ),
    ];
  });
}

const cpuOf =
  (group: number) =>
  (burst: Burst): number =>
    burst.cpu[group] ?? Number.NaN;
