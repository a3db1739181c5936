import { afterAll, expect, test } from "bun:test";
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { withSmallDisk } from "#test/support/small-disk.ts";
import { nextEpoch, openEpochs } from "./epochs.ts";

const KILLS = 30;

const root = mkdtempSync(join(tmpdir(), "kurz-epochs-"));
afterAll(() => rmSync(root, { recursive: true }));
let counters = 0;
const newPath = (): string => {
  counters += 1;
  return join(root, `epoch-${counters}`);
};

test("epochs start at one and continue after the last reserved one", () => {
  const path = newPath();
  expect([nextEpoch(path), nextEpoch(path), nextEpoch(path, 10), nextEpoch(path)]).toEqual([1, 2, 3, 13]);
});

test("an unfinished write from a crash is harmless", () => {
  const path = newPath();
  nextEpoch(path, 7);
  writeFileSync(`${path}.draft`, "1");
  expect(nextEpoch(path)).toBe(8);
});

test("a damaged counter is refused, with a hint how to repair it", () => {
  for (const text of ["", "12", "x\n", "-1\n", "1e3\n", "\0\0\0"]) {
    const path = newPath();
    writeFileSync(path, text);
    expect(() => nextEpoch(path)).toThrow("it must contain a number greater than every epoch");
    expect(readFileSync(path, "utf8")).toBe(text);
  }
});

test("a run takes epochs from a reserved range, and the next run starts after it", () => {
  const path = newPath();
  const first = openEpochs(path, 4);
  const taken = Array.from({ length: 11 }, () => first.next());
  expect(taken).toEqual(Array.from({ length: 11 }, (_, no) => no + 1));
  const second = openEpochs(path, 4);
  expect(second.first).toBeGreaterThan(11);
  expect(second.next()).toBe(second.first);
});

test("on a full disk, processes get epochs while the reserved range lasts, and again once there is space", () =>
  withSmallDisk(1, (disk) => {
    const epochs = openEpochs(join(disk.path, "epoch"), 10);
    disk.fill();
    const taken = Array.from({ length: 10 }, () => epochs.next());
    expect(() => epochs.next()).toThrow("ENOSPC");
    disk.free();
    taken.push(epochs.next(), epochs.next());
    expect(taken).toEqual(Array.from({ length: 12 }, (_, no) => no + 1));
    expect(openEpochs(join(disk.path, "epoch"), 10).first).toBeGreaterThan(12);
  }));

test("no epoch is used twice, however often the supervisor is killed", async () => {
  const path = newPath();
  const script = `
      import { writeSync } from "node:fs";
      import { nextEpoch } from ${JSON.stringify(join(import.meta.dir, "epochs.ts"))};
      for (;;) writeSync(1, nextEpoch(${JSON.stringify(path)}) + "\\n");
    `;
  const given: number[] = [];
  for (let kill = 0; kill < KILLS; kill += 1) {
    const child = Bun.spawn([process.execPath, "-e", script], { stdio: ["ignore", "pipe", "inherit"] });
    let text = "";
    for await (const chunk of child.stdout) {
      text += new TextDecoder().decode(chunk);
      if (text.length > kill % 40) child.kill("SIGKILL");
    }
    given.push(...(text.match(/\d+\n/g) ?? []).map(Number));
  }
  expect(given.length).toBeGreaterThan(KILLS);
  expect(given).toEqual([...new Set(given)].sort((a, b) => a - b));
  expect(nextEpoch(path)).toBeGreaterThan(given.at(-1) ?? 0);
}, 600_000);
