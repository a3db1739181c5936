import { expect, test } from "bun:test";
import { chmodSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { mapFile } from "./map-file.ts";

const FILE_BYTES = 64 << 20;
const directory = mkdtempSync(join(tmpdir(), "kurz-map-"));
const anonymousBytes = (): number =>
  Number(/^Anonymous: +(\d+) kB/m.exec(readFileSync("/proc/self/smaps_rollup", "utf8"))?.[1]) * 1024;

test("a file is read where it is, without a copy in memory, and needn't be writable", () => {
  const path = join(directory, "large");
  const content = Buffer.alloc(FILE_BYTES, "0123456789abcdef");
  writeFileSync(path, content);
  chmodSync(path, 0o444);
  const before = anonymousBytes();
  const mapped = mapFile(path);
  expect(mapped.equals(content)).toBe(true);
  expect(mapped.subarray(-4).toString()).toBe("cdef");
  if (process.platform === "linux") expect(anonymousBytes() - before).toBeLessThan(FILE_BYTES / 2);
  rmSync(directory, { recursive: true });
  // As while packages are replaced.
  expect(mapped.subarray(0, 4).toString()).toBe("0123");
});

test("a missing file is an error", () => {
  expect(() => mapFile(join(directory, "missing"))).toThrow("ENOENT");
});
