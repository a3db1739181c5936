import { expect, test } from "bun:test";
import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";

const console = join(import.meta.dir, "..");

test("every part that is loaded later waits for the server while it is away", () => {
  const files = readdirSync(console, { recursive: true, encoding: "utf8" }).filter((file) => file.endsWith(".tsx"));
  const parts = files.flatMap((file) =>
    readFileSync(join(console, file), "utf8")
      .split("\n")
      .filter((line) => /\bimport\(/.test(line))
      .map((line) => `${file}: ${line.trim()}`),
  );
  expect(parts.length).toBeGreaterThan(20);
  expect(parts.filter((line) => !/\b(?:lazyPage|lazyPart|loadPart)\(/.test(line))).toEqual([]);
});
