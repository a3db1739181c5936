import { afterEach, beforeEach, describe, expect, test } from "bun:test";
import {
  closeSync,
  mkdtempSync,
  openSync,
  readdirSync,
  readFileSync,
  readSync,
  rmSync,
  statSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { CryptoHasher } from "bun";
import fc from "fast-check";
import { readSaltFile } from "./salt-file.ts";
import { keepSalts, keepSharedSalts, saltDaysAt } from "./salts.ts";
import { visitorHash } from "./visitor-hash.ts";

const HOUR = 3_600_000;
const MIDNIGHT = Date.UTC(2026, 5, 17);
const TODAY = MIDNIGHT / (24 * HOUR);

let directory: string;
let path: string;

beforeEach(() => {
  directory = mkdtempSync(join(tmpdir(), "kurz-salts-"));
  path = join(directory, "salts.json");
});

afterEach(() => rmSync(directory, { recursive: true }));

const salts = (): readonly string[] => [...readSaltFile(path).values()];
const days = (): readonly number[] => [...readSaltFile(path).keys()].map((day) => day - TODAY);
const bytesOnDisk = (): string =>
  readdirSync(directory)
    .map((name) => readFileSync(join(directory, name), "latin1"))
    .join();

/** What is left of a file that has lost its name. */
function readOpenFile(file: number): string {
  const bytes = Buffer.alloc(1000);
  const text = bytes.toString("latin1", 0, readSync(file, bytes, 0, bytes.length, 0));
  closeSync(file);
  return text;
}

describe("the salts", () => {
  test("are 32 random bytes each, in a file that only its owner can read", () => {
    keepSalts(path, MIDNIGHT);
    expect(statSync(path).mode & 0o777).toBe(0o600);
    for (const salt of salts()) expect(salt).toMatch(/^[0-9a-f]{64}$/);
    expect(new Set(salts()).size).toBe(2);
    expect(readdirSync(directory)).toEqual(["salts.json"]);
  });

  test("are made twelve hours before their day and erased twelve hours after it", () => {
    keepSalts(path, MIDNIGHT);
    expect(days()).toEqual([-1, 0]);
    keepSalts(path, MIDNIGHT + 12 * HOUR - 1);
    expect(days()).toEqual([-1, 0]);
    keepSalts(path, MIDNIGHT + 12 * HOUR);
    expect(days()).toEqual([0, 1]);
    keepSalts(path, MIDNIGHT + 36 * HOUR - 1);
    expect(days()).toEqual([0, 1]);
    keepSalts(path, MIDNIGHT + 36 * HOUR);
    expect(days()).toEqual([1, 2]);
  });

  test("stay the same through their day, over restarts too", () => {
    keepSalts(path, MIDNIGHT - 12 * HOUR);
    const salt = readSaltFile(path).get(TODAY);
    for (let hour = -12; hour < 36; hour += 1) {
      keepSalts(path, MIDNIGHT + hour * HOUR);
      expect(readSaltFile(path).get(TODAY)).toBe(salt as string);
    }
  });

  test("the file is left alone while nothing is due", () => {
    keepSalts(path, MIDNIGHT);
    const before = statSync(path, { bigint: true });
    keepSalts(path, MIDNIGHT + HOUR);
    const after = statSync(path, { bigint: true });
    expect([after.ino, after.mtimeNs]).toEqual([before.ino, before.mtimeNs]);
  });

  test("after 48 hours there are two, none of them old, and no old hash can be recomputed", () => {
    const traits = { accountNo: 17, network: "203.0.113.9", userAgent: "Mozilla/5.0" };
    const hashesNow = (): readonly string[] =>
      salts().map((salt) => visitorHash(new CryptoHasher("sha256", Buffer.from(salt, "hex")), traits));
    for (const startHour of [0, 5, 11, 12, 13, 23]) {
      const start = MIDNIGHT + startHour * HOUR;
      keepSalts(path, start);
      const oldSalts = salts();
      const oldHashes = hashesNow();
      for (let hour = 1; hour <= 48; hour += 1) {
        keepSalts(path, start + hour * HOUR);
        expect(salts()).toHaveLength(2);
      }
      expect(hashesNow().filter((hash) => oldHashes.includes(hash))).toEqual([]);
      for (const salt of oldSalts) expect(bytesOnDisk()).not.toContain(salt);
      rmSync(path);
    }
  });

  test("an expired salt is overwritten where it stood, and the rest of that file stays readable", () => {
    keepSalts(path, MIDNIGHT);
    const [expired = "", kept = ""] = salts();
    const oldFile = openSync(path, "r");
    keepSalts(path, MIDNIGHT + 12 * HOUR);
    const text = readOpenFile(oldFile);
    expect(text).not.toContain(expired);
    expect(text).toContain(kept);
    writeFileSync(path, text);
    expect(salts()).toEqual([kept]);
  });

  test("whatever the clock does, there are the salts of the time it shows, and no other", () => {
    const instants = fc.array(fc.integer({ min: -20 * 24, max: 20 * 24 }), { minLength: 1, maxLength: 8 });
    fc.assert(
      fc.property(instants, (hours) => {
        for (const hour of hours) {
          const now = MIDNIGHT + hour * HOUR;
          const before = readSaltFile(path);
          keepSalts(path, now);
          const after = readSaltFile(path);
          expect([...after.keys()]).toEqual([...saltDaysAt(now)]);
          for (const [day, salt] of before) {
            if (after.has(day)) expect(after.get(day)).toBe(salt);
            else expect(bytesOnDisk()).not.toContain(salt);
          }
        }
      }),
      { numRuns: 25 },
    );
  });

  test("a damaged file and a draft left by a crash are replaced and erased", () => {
    const lost = "ab".repeat(32);
    for (const damage of ["", "{", "null", "[]", '"x"', `{"2026-06-17":"${lost}`, `{"2026-06-17":7,"x":"${lost}"}`]) {
      writeFileSync(path, damage);
      writeFileSync(`${path}.new`, `{"2026-06-16":"${lost}"}`);
      const draft = openSync(`${path}.new`, "r");
      keepSalts(path, MIDNIGHT);
      expect(readOpenFile(draft)).not.toContain(lost);
      expect(days()).toEqual([-1, 0]);
      expect(bytesOnDisk()).not.toContain(lost);
      expect(readdirSync(directory)).toEqual(["salts.json"]);
    }
  });
});

describe("salts of several nodes", () => {
  interface Agreed {
    readonly salt: string;
    readonly endsAt: number;
  }
  let agreed: Map<number, Agreed>;
  let isAway: boolean;
  beforeEach(() => {
    agreed = new Map();
    isAway = false;
  });

  const pathOf = (node: string): string => join(directory, `${node}.json`);
  const saltsOf = (node: string): Record<string, string> =>
    Object.fromEntries([...readSaltFile(pathOf(node))].map(([day, salt]) => [day - TODAY, salt]));
  const tend = (node: string, nowMs: number, mayUseOwn = true): Promise<boolean> =>
    keepSharedSalts(
      pathOf(node),
      nowMs,
      async (day, salt, forMs) => {
        if (isAway) return null;
        const known = agreed.get(day);
        if (known) return known.salt;
        agreed.set(day, { salt, endsAt: nowMs + forMs });
        return salt;
      },
      { mayUseOwn },
    );

  test("are the same everywhere, from twelve hours before their day until they are erased twelve hours after it", async () => {
    for (let hour = -12; hour < 60; hour += 1) {
      for (const node of ["a", "b"]) await tend(node, MIDNIGHT + hour * HOUR);
      expect(saltsOf("a")).toEqual(saltsOf("b"));
      expect(Object.keys(saltsOf("a"))).toContain(String(Math.floor(hour / 24)));
    }
    for (const [day, { endsAt }] of agreed) expect(endsAt).toBe((day + 1) * 24 * HOUR + 12 * HOUR);
    expect(Object.keys(saltsOf("a")).sort()).toEqual(["1", "2"]);
  });

  test("outlive what they were agreed through: the nodes propose them again", async () => {
    for (const node of ["a", "b"]) await tend(node, MIDNIGHT);
    const before = saltsOf("a");
    agreed.clear();
    await tend("a", MIDNIGHT + HOUR);
    await tend("c", MIDNIGHT + HOUR);
    expect(saltsOf("c")).toEqual(before);
  });

  test("that are in use don't change, and those ahead do", async () => {
    await tend("a", MIDNIGHT + 12 * HOUR);
    agreed.clear();
    await tend("c", MIDNIGHT + 12 * HOUR);
    const { 0: today, 1: tomorrow } = saltsOf("a");
    await tend("a", MIDNIGHT + 13 * HOUR);
    expect(saltsOf("a")).toEqual({ 0: today as string, 1: saltsOf("c")[1] as string });
    expect(saltsOf("a")[1]).not.toBe(tomorrow);
    expect(bytesOnDisk()).not.toContain(tomorrow as string);
  });

  test("are missing while a node waits for those of the others", async () => {
    await tend("a", MIDNIGHT);
    isAway = true;
    expect(await tend("b", MIDNIGHT, false)).toBe(false);
    expect(saltsOf("b")).toEqual({});
    isAway = false;
    expect(await tend("b", MIDNIGHT, false)).toBe(true);
    expect(saltsOf("b")).toEqual(saltsOf("a"));
    isAway = true;
    expect(await tend("b", MIDNIGHT + HOUR, false)).toBe(true);
  });

  test("are a node's own only if there is none for today", async () => {
    isAway = true;
    await tend("a", MIDNIGHT + 12 * HOUR);
    expect(Object.keys(saltsOf("a"))).toEqual(["0"]);
    isAway = false;
    const own = saltsOf("a")[0] as string;
    await tend("a", MIDNIGHT + 13 * HOUR);
    expect(saltsOf("a")[0]).toBe(own);
    expect(Object.keys(saltsOf("a"))).toEqual(["0", "1"]);
  });
});
