import { afterAll, expect, test } from "bun:test";
import { existsSync, mkdirSync, mkdtempSync, readdirSync, rmSync, utimesSync, writeFileSync } from "node:fs";
import { stat } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { findSegmentName, formatSegmentName } from "./segment-name.ts";
import { listJournal, listSegments, quarantineSegment, sumBytes } from "./segments.ts";

const root = mkdtempSync(join(tmpdir(), "kurz-segments-"));
afterAll(() => rmSync(root, { recursive: true }));
let directories = 0;

const NOW_MS = 1_800_000_000_000;

/** Makes segments, named by node, writer, epoch and number, that changed so many seconds ago. */
function makeJournal(
  ...segments: (readonly [node: string, writer: number, epoch: number, no: number, ageS: number])[]
) {
  directories += 1;
  const directory = join(root, String(directories));
  mkdirSync(directory);
  for (const [node, writer, epoch, segment, ageS] of segments) {
    const path = join(directory, formatSegmentName({ node, writer, epoch, segment }));
    writeFileSync(path, "x".repeat(10));
    utimesSync(path, NOW_MS / 1000 - ageS, NOW_MS / 1000 - ageS);
  }
  return {
    directory,
    left: async (liveFromEpoch: number) => {
      const listed = await listSegments(directory, { liveFromEpoch, clock: () => NOW_MS });
      return listed.map(({ node, writer, epoch, segment, isFinal }) => [node, writer, epoch, segment, isFinal]);
    },
  };
}

test("a name identifies the writer, even of a node with hyphens, and sorts in the order of writing", () => {
  const name = { node: "eu-1.a", writer: 12, epoch: 345, segment: 6 };
  expect(formatSegmentName(name)).toBe("eu-1.a-012-0000000345-00000006.log");
  expect(findSegmentName(formatSegmentName(name))).toEqual(name);
  const large = { node: "n", writer: 1234, epoch: 12_345_678_901, segment: 123_456_789 };
  expect(findSegmentName(formatSegmentName(large))).toEqual(large);
  const segments = [0, 9, 10, 99_999].map((segment) => formatSegmentName({ ...name, segment }));
  expect(segments.toSorted()).toEqual(segments);
});

test("other files aren't segments", () => {
  const names = [
    "",
    "a.log",
    "n-1-2-3.log",
    "n-000-0000000001-00000000.log.gz",
    "n-000-0000000001-00000000",
    "quarantine",
  ];
  const odd = ["-000-0000000001-00000000.log", "../n-000-0000000001-00000000.log", "n-0000-0000000001-00000000.log"];
  expect([...names, ...odd].filter((name) => findSegmentName(name) !== undefined)).toEqual([]);
});

test("the newest segment of a running process is live, and its earlier ones are final", async () => {
  const { left } = makeJournal(["n", 0, 7, 0, 0], ["n", 0, 7, 1, 0], ["n", 1, 8, 3, 900]);
  expect(await left(7)).toEqual([
    ["n", 0, 7, 0, true],
    ["n", 0, 7, 1, false],
    ["n", 1, 8, 3, false],
  ]);
});

test("a killed process's segment is final once its successor writes and it hasn't changed for a while", async () => {
  const journal = makeJournal(["n", 0, 7, 2, 1], ["n", 0, 9, 0, 0], ["n", 1, 7, 0, 3], ["n", 1, 9, 0, 0]);
  expect(await journal.left(1)).toEqual([
    ["n", 0, 7, 2, false],
    ["n", 0, 9, 0, false],
    ["n", 1, 7, 0, true],
    ["n", 1, 9, 0, false],
  ]);
});

test("segments of earlier runs are final, whether or not their writer still exists", async () => {
  const { left } = makeJournal(["n", 3, 7, 0, 10], ["old-name", 0, 6, 4, 10], ["n", 0, 8, 0, 10]);
  expect((await left(8)).filter(([, , , , isFinal]) => isFinal).map(([node, writer]) => [node, writer])).toEqual([
    ["n", 3],
    ["old-name", 0],
  ]);
});

test("a clock that was set back doesn't keep a segment live for long", async () => {
  const { left } = makeJournal(["n", 0, 1, 0, -3600]);
  expect(await left(2)).toEqual([["n", 0, 1, 0, true]]);
});

test("a missing journal is empty", async () => {
  expect(await listSegments(join(root, "nowhere"), { liveFromEpoch: 1 })).toEqual([]);
});

test("a segment in quarantine is kept but not listed, and a missing one is no error", async () => {
  const { directory } = makeJournal(["n", 0, 1, 0, 10], ["n", 0, 1, 1, 10]);
  const [segment, other] = await listSegments(directory, { liveFromEpoch: 2 });
  if (segment === undefined || other === undefined) throw new Error("the segments are not listed");
  expect(sumBytes([segment, other])).toBe(20);
  await quarantineSegment(segment);
  await quarantineSegment(segment);
  expect((await listSegments(directory, { liveFromEpoch: 2 })).map(({ path }) => path)).toEqual([other.path]);
  expect(readdirSync(join(directory, "quarantine"))).toEqual(["n-000-0000000001-00000000.log"]);
  expect(existsSync(segment.path)).toBe(false);
});

test("a segment that the disk fails to describe is unreadable and not foreign, and the others are listed", async () => {
  const { directory } = makeJournal(["a", 0, 5, 0, 60], ["b", 0, 5, 0, 60]);
  const list = (code: string) => {
    const failing = (path: string) =>
      path.includes("a-000") ? Promise.reject(Object.assign(new Error(code), { code })) : stat(path);
    return listJournal(directory, { liveFromEpoch: 5, stat: failing as typeof stat });
  };
  const reason = expect.any(String);
  for (const code of ["EIO", "ESTALE", "EACCES", "EMFILE"]) {
    expect(await list(code)).toMatchObject({ segments: [{ node: "b" }], foreignEntries: [], unreadable: [{ reason }] });
  }
  expect(await list("ELOOP")).toMatchObject({ foreignEntries: [{ reason }], unreadable: [] });
  expect(await list("ENOENT")).toMatchObject({ segments: [{ node: "b" }], foreignEntries: [], unreadable: [] });
});
