import { afterAll, beforeEach, expect, test } from "bun:test";
import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, utimesSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { type DataPaths, dataPaths } from "#config/data-paths.ts";
import { nameSuccessor } from "./successor.ts";

const root = mkdtempSync(join(tmpdir(), "kurz-successor-"));
afterAll(() => rmSync(root, { recursive: true }));

let paths: DataPaths;
let file: string;
beforeEach(() => {
  paths = dataPaths(mkdtempSync(join(root, "data-")));
  file = join(paths.run, "successor.json");
  mkdirSync(paths.run);
});
const named = () => JSON.parse(readFileSync(file, "utf8"));

test("one program is named at a time", () => {
  const request = nameSuccessor(paths);
  expect(nameSuccessor(paths)).toBeNull();
  expect(named()).toMatchObject({ request, asker: process.pid });
  expect(readdirSync(paths.run)).toEqual(["successor.json"]);
});

test("one whose command has ended is replaced", async () => {
  nameSuccessor(paths);
  const ended = Bun.spawn(["true"]);
  await ended.exited;
  writeFileSync(file, JSON.stringify({ ...named(), asker: ended.pid }));
  const request = nameSuccessor(paths);
  expect(named()).toMatchObject({ request, asker: process.pid });
});

test("one that nobody waits for any more is replaced, even if it can't be read", () => {
  writeFileSync(file, "");
  expect(nameSuccessor(paths)).toBeNull();
  utimesSync(file, 0, 0);
  expect(named).toThrow();
  const request = nameSuccessor(paths);
  expect(named()).toMatchObject({ request });
});
