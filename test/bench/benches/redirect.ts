import { interleave } from "../interleave.ts";
import { atMost, micros, millis } from "../report.ts";
import { POPULAR_LINES } from "../stage.ts";
import { median, medianRatio } from "../statistics.ts";
import { type Burst, runWrk } from "../wrk.ts";
import type { Bench } from "./bench-definition.ts";

export const redirect: Bench = {
  name: "redirect",
  about: "a redirect of Kurz beside nginx `return 302` with a buffered access log",
  async run(stage) {
    const [nginx, { server, data, all, redirect: alone }] = await Promise.all([stage.nginx(), stage.small()]);
    const paths = { pathFile: data.popularFile, lines: POPULAR_LINES };
    const { ours, theirs } = await interleave(stage.rounds, {
      ours: () => runWrk({ url: server.url, ...paths }, [all, alone]),
      theirs: () => runWrk({ url: nginx.url, ...paths }, [nginx.pids()]),
    });
    const cpu = (bursts: readonly Burst[], group: number): number[] => bursts.map((burst) => burst.cpu[group] ?? 0);
    const compare = (name: string, group: number, times: number) =>
      atMost(
        {
          name,
          ours: micros(median(cpu(ours, group))),
          baseline: micros(median(cpu(theirs, 0))),
          ratio: medianRatio(cpu(ours, group), cpu(theirs, 0)),
        },
        times,
      );
    const record = (name: string, of: (burst: Burst) => number, format: (value: number) => string) => ({
      name,
      ours: format(median(ours.map(of))),
      baseline: format(median(theirs.map(of))),
      ratio: medianRatio(ours.map(of), theirs.map(of)),
    });
    return [
      compare("CPU per redirect, all processes", 0, 2.5),
      compare("CPU per redirect, redirect process", 1, 1.8),
      record("redirect p50, 32 connections", ({ p50 }) => p50, millis),
      record("redirect p99, 32 connections", ({ p99 }) => p99, millis),
      record(
        "redirects per second",
        ({ perSecond }) => perSecond,
        (value) => value.toFixed(0),
      ),
    ];
  },
};
