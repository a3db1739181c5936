import { copyFileSync, rmSync } from "node:fs";
import { dataPaths } from "#config/data-paths.ts";
import { DAY_MS } from "#engines/clicks/slots.ts";
import { startKurz } from "#test/support/kurz-server.ts";
import { END_MS, prepareClicks, START_MS } from "../data/prepared-clicks.ts";
import { interleave } from "../interleave.ts";
import { startLoad } from "../load.ts";
import { atMost, millis } from "../report.ts";
import { POPULAR_LINES, SUBJECT_ENV } from "../stage.ts";
import { median, medianRatio } from "../statistics.ts";
import { type Burst, runWrk } from "../wrk.ts";
import type { Bench } from "./bench-definition.ts";

const CLICKS = { full: 20_000_000, quick: 1_000_000 };
const ROUNDS = { full: 4, quick: 2 };
const SECONDS = 3;
const LEAD_MS = 500;
const THINK_MS = 10;
const TIMES_MAX = 2;

export const reportsBeside: Bench = {
  name: "reports-beside",
  about: "redirect p99 while two clients request reports on millions of clicks, compared to alone",
  async run(stage) {
    const clicks = stage.isQuick ? CLICKS.quick : CLICKS.full;
    const stored = await prepareClicks(clicks, (text) => stage.say(text));
    const data = await stage.prepare("small");
    copyFileSync(stored.summarised, dataPaths(data.dataDir).clicks);
    const server = await startKurz({ dataDir: data.dataDir, env: SUBJECT_ENV });
    try {
      const token = await server.newToken(data.bigAccount);
      const visit = (): Promise<Burst> =>
        runWrk({
          ...{ url: server.url, pathFile: data.popularFile, lines: POPULAR_LINES, seconds: SECONDS, thinkMs: THINK_MS },
        });
      const analytics = (fromMs: number, more = ""): string =>
        `/api/v1/analytics?from=${new Date(fromMs).toISOString()}&to=${new Date(END_MS).toISOString()}${more}`;
      const weekMs = END_MS - 7 * DAY_MS;
      const targets = [analytics(START_MS), analytics(weekMs, "&group_by=country"), analytics(weekMs, "&country=DE")];
      const asked: number[] = [];
      const { alone, beside } = await interleave(stage.isQuick ? ROUNDS.quick : ROUNDS.full, {
        alone: visit,
        beside: async () => {
          const streams = [{ name: "reports", inFlight: 2, method: "GET", targets } as const];
          const load = startLoad({ url: server.url, token, seconds: SECONDS + 2, streams });
          await Bun.sleep(LEAD_MS);
          const burst = await visit();
          const {
            streams: [reports],
            problem,
          } = await load.report;
          if (problem !== null) throw new Error(`the API answered the load with ${problem}`);
          asked.push(reports?.p50 ?? Number.NaN);
          return burst;
        },
      });
      const p99 = (bursts: readonly Burst[]): number[] => bursts.map((burst) => burst.p99);
      return [
        atMost(
          {
            name: `redirect p99 while reports of ${clicks / 1e6} M clicks run`,
            ours: millis(median(p99(beside))),
            baseline: millis(median(p99(alone))),
            ratio: medianRatio(p99(beside), p99(alone)),
          },
          TIMES_MAX,
        ),
        {
          name: "  p50 of those reports (all; a week by country; a week of one country), two at a time",
          ours: millis(median(asked)),
        },
      ];
    } finally {
      await server.stop();
      rmSync(data.dataDir, { recursive: true, force: true });
    }
  },
};
