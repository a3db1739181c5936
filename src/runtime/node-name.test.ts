import { afterEach, expect, test } from "bun:test";
import { mkdtempSync, readdirSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { isNodeName } from "#clicks/journal/segment-name.ts";
import { loadConfig } from "#config/load-config.ts";
import { readNodeName } from "./node-name.ts";

const longest = "n".repeat(40);
const shared = { DATABASE_URL: "postgres://db.example/kurz", KURZ_SECRET_KEY: "k".repeat(32), KURZ_NODE_ID: longest };
const directories: string[] = [];
const newDirectory = (): string => {
  const directory = mkdtempSync(join(tmpdir(), "kurz-node-"));
  directories.push(directory);
  return directory;
};
afterEach(() => {
  for (const directory of directories.splice(0)) rmSync(directory, { recursive: true });
});

const nameIn = (dataDir: string, env: Record<string, string>): string =>
  readNodeName(loadConfig({ KURZ_DATA_DIR: dataDir, ...env }));

test("a node with its own engines has the plain name, and needs no file for it", () => {
  const dataDir = newDirectory();
  expect(nameIn(dataDir, {})).toBe("local");
  expect(nameIn(dataDir, { KURZ_NODE_ID: "eu-1" })).toBe("eu-1");
  expect(readdirSync(dataDir)).toEqual([]);
});

test("nodes that share a server never have the same name, even if they are called the same", () => {
  const first = newDirectory();
  const name = nameIn(first, shared);
  expect(name).toStartWith(`${longest}.`);
  expect(isNodeName(name)).toBe(true);
  expect(nameIn(first, shared)).toBe(name);
  expect(nameIn(newDirectory(), shared)).not.toBe(name);
  // Servers know its segments by it.
  expect(nameIn(first, { ...shared, KURZ_NODE_ID: "moved" })).toBe(name);
});
