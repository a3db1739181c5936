import { afterEach, beforeEach, expect, test } from "bun:test";
import { mkdirSync, mkdtempSync, readdirSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import {
  claimDemoDirectory,
  clearGenerations,
  findCurrentGeneration,
  refuseDemoDirectory,
  setCurrentGeneration,
} from "./demo-directory.ts";

let parent: string;
let directory: string;
beforeEach(() => {
  parent = mkdtempSync(join(tmpdir(), "kurz-demo-"));
  directory = join(parent, "data-demo");
});
afterEach(() => rmSync(parent, { recursive: true }));

test("the demo uses a directory that is new, empty or its own", () => {
  claimDemoDirectory(directory);
  claimDemoDirectory(directory);
  mkdirSync(join(parent, "empty"));
  claimDemoDirectory(join(parent, "empty"));
});

test("the demo refuses any other data and leaves it alone", () => {
  mkdirSync(directory);
  writeFileSync(join(directory, "records.db"), "real");
  expect(() => claimDemoDirectory(directory)).toThrow("contains data that is not the demo's");
  expect(readdirSync(directory)).toEqual(["records.db"]);
});

test("a real server refuses the demo's directory", () => {
  refuseDemoDirectory(directory);
  claimDemoDirectory(directory);
  expect(() => refuseDemoDirectory(directory)).toThrow("belongs to the demo");
});

test("generations of an earlier run are removed, and nothing else", () => {
  claimDemoDirectory(directory);
  for (const name of ["generation-1", "generation-12", "generation-x", "other"]) mkdirSync(join(directory, name));
  clearGenerations(directory);
  expect(readdirSync(directory).toSorted()).toEqual(["generation-x", "kurz-demo", "other"]);
});

test("the current generation is known until the directory is cleared", () => {
  claimDemoDirectory(directory);
  expect(findCurrentGeneration(directory)).toBeNull();
  for (const generation of [1, 2, 10]) {
    setCurrentGeneration(directory, generation);
    expect(findCurrentGeneration(directory)).toBe(generation);
  }
  expect(readdirSync(directory).toSorted()).toEqual(["current", "kurz-demo"]);
  clearGenerations(directory);
  expect(findCurrentGeneration(directory)).toBeNull();
});
