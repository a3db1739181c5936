import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { interleave } from "../interleave.ts";
import { type LoadReport, runLoad } from "../load.ts";
import { atMost, micros, millis, type Row } from "../report.ts";
import type { Subject } from "../stage.ts";
import { median, medianRatio } from "../statistics.ts";
import type { Bench } from "./bench-definition.ts";

const SECONDS = 1;
const WARM_UP_SECONDS = 4;
const INSERTS = 3000;
const TIMES_MAX = 15;
const FLAT_TIMES = 2;

export const create: Bench = {
  name: "create",
  about:
    "`POST /links` through all processes compared to a bare prepared SQLite insert of the same row, equally durable",
  async run(stage) {
    const [small, large] = await Promise.all([stage.small(), stage.large()]);
    // The first requests run interpreted and would inflate the server's cost.
    if (!stage.isQuick) for (const subject of [small, large]) await createLinks(subject, 16, WARM_UP_SECONDS);
    const results = await interleave(stage.rounds, {
      bare: insertBare,
      fewOneByOne: () => createLinks(small, 1),
      manyOneByOne: () => createLinks(large, 1),
      fewTogether: () => createLinks(small, 16),
      manyTogether: () => createLinks(large, 16),
    });
    const size = stage.largeLinks.toLocaleString("en");
    const compare = (name: string, ours: readonly LoadReport[]): Row =>
      atMost(
        {
          name: `CPU per POST /links, ${name}`,
          ours: micros(median(ours.map(cpuOf))),
          baseline: micros(median(results.bare)),
          ratio: medianRatio(ours.map(cpuOf), results.bare),
        },
        TIMES_MAX,
      );
    const beside = (name: string, many: readonly LoadReport[], few: readonly LoadReport[]): Row =>
      atMost(
        {
          name: `CPU per POST /links, ${size} links beside 1,000, ${name}`,
          ours: micros(median(many.map(cpuOf))),
          baseline: micros(median(few.map(cpuOf))),
          ratio: medianRatio(many.map(cpuOf), few.map(cpuOf)),
        },
        FLAT_TIMES,
      );
    const latency = (name: string, ours: readonly LoadReport[]): Row => ({
      name: `p50 and p99 of POST /links, ${name}`,
      ours: [quantileOf(ours, "p50"), quantileOf(ours, "p99")].map(millis).join(" / "),
    });
    const both = [
      ["1,000 links, one at a time", results.fewOneByOne],
      ["1,000 links, 16 at a time", results.fewTogether],
      [`${size} links, one at a time`, results.manyOneByOne],
      [`${size} links, 16 at a time`, results.manyTogether],
    ] as const;
    return [
      ...both.map(([name, ours]) => compare(name, ours)),
      beside("one at a time", results.manyOneByOne, results.fewOneByOne),
      beside("16 at a time", results.manyTogether, results.fewTogether),
      ...both.map(([name, ours]) => latency(name, ours)),
      {
        name: "of it redirect process / control, 1,000 links, one at a time",
        ours: [1, 2].map((group) => micros(median(results.fewOneByOne.map(({ cpu }) => cpu[group] ?? 0)))).join(" / "),
      },
    ];
  },
};

const createLinks = (
  { server, bigToken, all, redirect, control }: Subject,
  inFlight: number,
  seconds = SECONDS,
): Promise<LoadReport> =>
  runLoad(
    {
      url: server.url,
      token: bigToken,
      seconds,
      streams: [{ name: "create", inFlight, method: "POST", targets: ["/api/v1/links"] }],
    },
    [all, redirect, control],
  );

async function insertBare(): Promise<number> {
  const directory = mkdtempSync(join(tmpdir(), "kurz-bench-bare-"));
  const script = join(import.meta.dir, "..", "bare-insert.ts");
  const child = Bun.spawn([process.execPath, script, join(directory, "bare.db"), String(INSERTS)], {
    stdout: "pipe",
    stderr: "inherit",
  });
  const text = await new Response(child.stdout).text();
  rmSync(directory, { recursive: true });
  return Number.parseFloat(text);
}

const cpuOf = ({ cpu: [all = Number.NaN] }: LoadReport): number => all;

const quantileOf = (reports: readonly LoadReport[], name: "p50" | "p99"): number =>
  median(reports.map(({ streams: [stream] }) => stream?.[name] ?? Number.NaN));
