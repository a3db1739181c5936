import { afterEach, beforeEach, expect, test } from "bun:test";
import { mkdirSync, mkdtempSync, renameSync, rmSync, truncateSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { until } from "#test/support/until.ts";
import { mmdbFile } from "./fixtures/mmdb-file.ts";
import { followGeoFile, type GeoFile } from "./geo-file.ts";

const DUTCH = "193.0.6.139";

let directory: string;
let path: string;
let geo: GeoFile | undefined;
let problems: string[];
let reloads: number;

beforeEach(() => {
  directory = mkdtempSync(join(tmpdir(), "kurz-geo-"));
  path = join(directory, "operator.mmdb");
  problems = [];
  reloads = 0;
});
afterEach(() => {
  geo?.close();
  rmSync(directory, { recursive: true });
});

async function follow(): Promise<GeoFile> {
  geo = await followGeoFile({
    path,
    onProblem: (message) => problems.push(message),
    onReload() {
      reloads += 1;
    },
    pollMs: 5,
  });
  return geo;
}

const place = (): string => {
  const [country, , city] = geo?.find(DUTCH).texts.split("\t") ?? [];
  return [country, city].filter(Boolean).join(" ");
};
const becomes = (expected: string) => until(`the place is ${expected}`, () => place() === expected);

const write = (city: string): void => writeFileSync(path, mmdbFile({ country: "DE", city }));

test("a good file is used from the start, without a word", async () => {
  write("Ulm");
  await follow();
  expect([place(), problems, reloads, geo?.isUnusable()]).toEqual(["DE Ulm", [], 0, false]);
});

test.each([
  ["missing", () => {}, "there is no such file"],
  ["empty", () => writeFileSync(path, ""), "it is not a complete MaxMind database"],
  [
    "truncated",
    () => writeFileSync(path, mmdbFile({ country: "DE" }).subarray(0, 40)),
    "it is not a complete MaxMind database",
  ],
  ["a directory", () => mkdirSync(path), "it is not a file"],
  ["a pipe, which would never end", () => Bun.spawnSync(["mkfifo", path]), "it is not a file"],
] as const)(
  "a file that is %s costs its cities only: bundled data is used, which is told once",
  async (_, make, reason) => {
    make();
    await follow();
    expect([place(), geo?.isUnusable()]).toEqual(["NL", true]);
    expect(problems).toEqual([expect.stringContaining(`${path}: ${reason}`)]);
    expect(problems[0]).toContain("using the bundled country data");
    rmSync(path, { recursive: true, force: true });
    write("Ulm");
    await becomes("DE Ulm");
    expect([reloads, geo?.isUnusable()]).toEqual([1, false]);
  },
);

test("a changed file is read again, whether it was written over or replaced", async () => {
  write("Ulm");
  await follow();
  write("Neu-Ulm");
  await becomes("DE Neu-Ulm");
  const next = `${path}.new`;
  writeFileSync(next, mmdbFile({ country: "DE", city: "Bonn" }));
  renameSync(next, path);
  await becomes("DE Bonn");
  expect([problems, reloads]).toEqual([[], 2]);
});

test("a file that goes bad or away leaves the data that was read before, and comes back", async () => {
  write("Ulm");
  await follow();
  truncateSync(path, 40);
  await until("the bad file is noticed", () => geo?.isUnusable() === true);
  expect(place()).toBe("DE Ulm");
  const aside = `${path}.aside`;
  write("Ulm");
  await until("the good one is, too", () => geo?.isUnusable() === false);
  renameSync(path, aside);
  await until("the missing file is noticed", () => geo?.isUnusable() === true);
  expect(place()).toBe("DE Ulm");
  expect(problems.map((text) => text.includes("using the data read before"))).toEqual([true, true]);
  // The very file that was read before.
  renameSync(aside, path);
  await until("it is back", () => geo?.isUnusable() === false);
  expect(problems).toHaveLength(2);
});
