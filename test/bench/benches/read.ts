import { interleave } from "../interleave.ts";
import { runLoad } from "../load.ts";
import { micros, millis } from "../report.ts";
import { median } from "../statistics.ts";
import type { Bench } from "./bench-definition.ts";

const IN_FLIGHT = 16;

export const read: Bench = {
  name: "read",
  about: "the CPU cost of single reads through all processes, for the record",
  async run(stage) {
    const { server, data, bigToken, all, redirect, control } = await stage.small();
    const ask = (target: string) => () =>
      runLoad(
        {
          url: server.url,
          token: bigToken,
          seconds: 1,
          streams: [{ name: target, inFlight: IN_FLIGHT, method: "GET", targets: [target] }],
        },
        [all, redirect, control],
      );
    const results = await interleave(stage.isQuick ? 1 : 3, {
      "GET /links/{id}": ask(`/api/v1/links/${data.middle.id}`),
      "GET /me": ask("/api/v1/me"),
    });
    return Object.entries(results).flatMap(([name, reports]) => {
      const cpu = (group: number): string => micros(median(reports.map((report) => report.cpu[group] ?? 0)));
      const latency = (key: "p50" | "p99"): string =>
        millis(median(reports.map(({ streams: [stream] }) => stream?.[key] ?? Number.NaN)));
      return [
        { name: `CPU per ${name}, all processes`, ours: cpu(0) },
        { name: "  of it redirect process / control", ours: `${cpu(1)} / ${cpu(2)}` },
        { name: `  p50 and p99, ${IN_FLIGHT} at a time`, ours: `${latency("p50")} / ${latency("p99")}` },
      ];
    });
  },
};
