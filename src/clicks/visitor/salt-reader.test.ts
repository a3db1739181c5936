import { afterEach, beforeEach, describe, expect, test } from "bun:test";
import { mkdtempSync, rmSync, utimesSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { systemClock } from "#kernel/clock.ts";
import { until } from "#test/support/until.ts";
import { followSalts } from "./follow-salts.ts";
import { readSaltFile } from "./salt-file.ts";
import { SaltReader } from "./salt-reader.ts";
import { keepSalts } from "./salts.ts";
import { visitorHash } from "./visitor-hash.ts";

const HOUR = 3_600_000;
const MIDNIGHT = Date.UTC(2026, 5, 17);

let directory: string;
let path: string;

beforeEach(() => {
  directory = mkdtempSync(join(tmpdir(), "kurz-salts-"));
  path = join(directory, "salts.json");
});

afterEach(() => rmSync(directory, { recursive: true }));

async function hashAt(reader: SaltReader, nowMs: number): Promise<string | undefined> {
  await reader.check(nowMs);
  const salted = reader.find(nowMs);
  return salted && visitorHash(salted, { accountNo: 1, network: "203.0.113.9", userAgent: "x" });
}

describe("a redirect process", () => {
  test("hashes alike through a UTC day and anew after midnight, without a gap", async () => {
    const reader = new SaltReader(path);
    const hashes = new Set<string | undefined>();
    for (let hour = 0; hour < 72; hour += 1) {
      const now = MIDNIGHT + hour * HOUR;
      keepSalts(path, now);
      hashes.add(await hashAt(reader, now));
      hashes.add(await hashAt(reader, now + HOUR - 1));
    }
    expect(hashes.size).toBe(3);
    expect(hashes.has(undefined)).toBe(false);
  });

  test("all processes and all restarts agree", async () => {
    keepSalts(path, MIDNIGHT);
    const hash = (await hashAt(new SaltReader(path), MIDNIGHT)) as string;
    keepSalts(path, MIDNIGHT + HOUR);
    expect(await hashAt(new SaltReader(path), MIDNIGHT + HOUR)).toBe(hash);
  });

  test("has no hash without a salt, and finds it within a second of its making", async () => {
    const reader = new SaltReader(path);
    expect(await hashAt(reader, MIDNIGHT)).toBeUndefined();
    keepSalts(path, MIDNIGHT);
    expect(await hashAt(reader, MIDNIGHT + 999)).toBeUndefined();
    expect(await hashAt(reader, MIDNIGHT + 1000)).toBeDefined();
  });

  test("finds a late salt without a click, so that the first one has a visitor", async () => {
    const reader = new SaltReader(path);
    const following = followSalts(reader, systemClock);
    await reader.check(systemClock());
    expect(reader.has(systemClock())).toBe(false);
    keepSalts(path, systemClock());
    await until("it has the salt", () => reader.has(systemClock()));
    await following.stop();
  });

  test("works twelve hours ahead while control is away, then goes on without hashes", async () => {
    keepSalts(path, MIDNIGHT + 12 * HOUR);
    const reader = new SaltReader(path);
    expect(await hashAt(reader, MIDNIGHT + 36 * HOUR)).toBeDefined();
    expect(await hashAt(reader, MIDNIGHT + 48 * HOUR)).toBeUndefined();
  });

  test("lets go of a salt that control has erased", async () => {
    keepSalts(path, MIDNIGHT);
    const reader = new SaltReader(path);
    expect(await hashAt(reader, MIDNIGHT - HOUR)).toBeDefined();
    keepSalts(path, MIDNIGHT + 12 * HOUR);
    await reader.check(MIDNIGHT + 12 * HOUR);
    expect(await hashAt(reader, MIDNIGHT - HOUR)).toBeUndefined();
  });

  test("follows a clock that is set back", async () => {
    keepSalts(path, MIDNIGHT + 100 * HOUR);
    const reader = new SaltReader(path);
    expect(await hashAt(reader, MIDNIGHT + 100 * HOUR)).toBeDefined();
    keepSalts(path, MIDNIGHT);
    expect(await hashAt(reader, MIDNIGHT)).toBeDefined();
  });

  test("is not disturbed by a damaged or missing file", async () => {
    const reader = new SaltReader(path);
    for (const [second, damage] of ["", "{", "null", '{"2026-06-17":"short"}', '{"2026-06-17":{}}'].entries()) {
      writeFileSync(path, damage);
      expect(await hashAt(reader, MIDNIGHT + second * 1000)).toBeUndefined();
    }
    rmSync(path);
    expect(await hashAt(reader, MIDNIGHT + 10_000)).toBeUndefined();
    keepSalts(path, MIDNIGHT);
    expect(await hashAt(reader, MIDNIGHT + 20_000)).toBeDefined();
  });

  test("reads the file again only when it has changed", async () => {
    keepSalts(path, MIDNIGHT);
    const reader = new SaltReader(path);
    await reader.check(MIDNIGHT);
    const before = reader.find(MIDNIGHT);
    await reader.check(MIDNIGHT + 5000);
    expect(reader.find(MIDNIGHT + 5000)).toBe(before as NonNullable<typeof before>);
    utimesSync(path, new Date(), new Date(0));
    await reader.check(MIDNIGHT + 10_000);
    expect(reader.find(MIDNIGHT + 10_000)).not.toBe(before as NonNullable<typeof before>);
    expect(readSaltFile(path).size).toBe(2);
  });
});
