import { interleave } from "../interleave.ts";
import { memoryOf } from "../process-figures.ts";
import { atMost, megabytes, micros, type Row } from "../report.ts";
import { POPULAR_LINES, type Subject } from "../stage.ts";
import { median, medianRatio } from "../statistics.ts";
import { type Burst, runWrk } from "../wrk.ts";
import type { Bench } from "./bench-definition.ts";

/** More than a burst requests, so that no path repeats. */
const LINES = 100_000;

export const scale: Bench = {
  name: "scale",
  about: "redirects with many links compared to few, by Zipf's law; first visits; unknown slugs",
  async run(stage) {
    const [small, large] = await Promise.all([stage.small(), stage.large()]);
    const popular =
      ({ server, data, all, redirect }: Subject) =>
      () =>
        runWrk({ url: server.url, pathFile: data.popularFile, lines: POPULAR_LINES }, [all, redirect]);
    // Separate from the rest, which fills the caches with links that nobody visits again.
    const { few, many } = await interleave(stage.rounds, { few: popular(small), many: popular(large) });
    // Each round requests other links, so that none is cached.
    const unknown = (subject: Subject) => (round: number) => burst(subject, subject.data.unknownFile, round, true);
    // A few bursts visit all of a hundred thousand links.
    const cold = stage.isQuick ? {} : { cold: (round: number) => burst(large, large.data.coldFile, round, false) };
    const missed = await interleave(stage.rounds, {
      cached: popular(large),
      fewUnknown: unknown(small),
      manyUnknown: unknown(large),
      ...cold,
    });
    const size = stage.largeLinks.toLocaleString("en");
    return [
      atMost(compare(`CPU per redirect, ${size} links beside 1,000`, many, few), 1.2),
      atMost(
        compare(`CPU of the redirect process per redirect, ${size} links beside 1,000`, many, few, redirectCpu),
        1.2,
      ),
      ...(missed.cold
        ? [compare("CPU per first opening of a link, beside a cached one", missed.cold, missed.cached)]
        : []),
      compare("CPU per unknown slug, beside a redirect", missed.manyUnknown, missed.cached),
      compare(`CPU per unknown slug, ${size} links beside 1,000`, missed.manyUnknown, missed.fewUnknown),
      { name: `memory of all processes after it, ${size} links`, ours: megabytes(memoryOf(large.all).resident) },
    ];
  },
};

const burst = ({ server, all }: Subject, pathFile: string, round: number, isMiss: boolean): Promise<Burst> =>
  runWrk({ url: server.url, pathFile, firstLine: round * LINES, lines: LINES, isMiss }, [all]);

const totalCpu = ({ cpu: [all = Number.NaN] }: Burst): number => all;
const redirectCpu = ({ cpu: [, redirect = Number.NaN] }: Burst): number => redirect;

const compare = (
  name: string,
  ours: readonly Burst[],
  baseline: readonly Burst[],
  cpuOf = totalCpu,
): Row & { ratio: number } => ({
  name,
  ours: micros(median(ours.map(cpuOf))),
  baseline: micros(median(baseline.map(cpuOf))),
  ratio: medianRatio(ours.map(cpuOf), baseline.map(cpuOf)),
});
