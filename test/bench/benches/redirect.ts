import { interleave } from "../interleave.ts";
import { atMost, micros, millis, type Row } from "../report.ts";
import { POPULAR_LINES, type Stage } from "../stage.ts";
import { median, medianRatio } from "../statistics.ts";
import { type Burst, runWrk } from "../wrk.ts";
import type { Bench } from "./bench-definition.ts";

// Many more than any visitor cache would hold, since most clicks are by new visitors.
const CROWD = 50_000;
// CPU is measured until all clicks are ingested, so a longer burst reduces the share of background work.
const SECONDS = 2;

export const redirect: Bench = {
  name: "redirect",
  about: "a redirect by Kurz compared to nginx `return 302` with a buffered access log",
  run: async (stage) => [...(await compare(stage, CROWD, "")), ...(await compare(stage, 1, ", one visitor"))],
};

async function compare(stage: Stage, visitors: number, who: string): Promise<Row[]> {
  const [nginx, { server, data, all, redirect: alone, control }] = await Promise.all([stage.nginx(), stage.small()]);
  const burst = { pathFile: data.popularFile, lines: POPULAR_LINES, visitors, seconds: SECONDS };
  const { ours, theirs } = await interleave(stage.rounds, {
    ours: () => runWrk({ ...burst, url: server.url }, [all, alone, control]),
    theirs: () => runWrk({ ...burst, url: nginx.url }, [nginx.pids()]),
  });
  const cpu = (bursts: readonly Burst[], group: number): number[] => bursts.map((burst) => burst.cpu[group] ?? 0);
  const record = (name: string, of: (burst: Burst) => number, format: (value: number) => string) => ({
    name: name + who,
    ours: format(median(ours.map(of))),
    baseline: format(median(theirs.map(of))),
    ratio: medianRatio(ours.map(of), theirs.map(of)),
  });
  const beside = (name: string, group: number, times: number) =>
    atMost(
      {
        name: name + who,
        ours: micros(median(cpu(ours, group))),
        baseline: micros(median(cpu(theirs, 0))),
        ratio: medianRatio(cpu(ours, group), cpu(theirs, 0)),
      },
      times,
    );
  const ingestion = median(cpu(ours, 2));
  return [
    beside("CPU per redirect, all processes", 0, 2.5),
    beside("CPU per redirect, redirect process", 1, 1.8),
    {
      name: `CPU of control per click${who}`,
      ours: micros(ingestion),
      target: `≤ ${INGESTION_MICROS_MAX} µs`,
      isOk: ingestion <= INGESTION_MICROS_MAX,
    },
    record("redirect p50, 32 connections", ({ p50 }) => p50, millis),
    record("redirect p99, 32 connections", ({ p99 }) => p99, millis),
    record(
      "redirects per second",
      ({ perSecond }) => perSecond,
      (value) => value.toFixed(0),
    ),
  ];
}

const INGESTION_MICROS_MAX = 4;
