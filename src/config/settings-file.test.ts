import { afterAll, expect, test } from "bun:test";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { readSettingsFile, withSettings } from "./settings-file.ts";

const directory = mkdtempSync(join(tmpdir(), "kurz-settings-"));
afterAll(() => rmSync(directory, { recursive: true }));

function read(text: string): unknown {
  const path = join(directory, "next.env");
  writeFileSync(path, text);
  return readSettingsFile(path);
}

test.each([
  ["A=1\nB=two words \n", { A: "1", B: "two words" }],
  ["# A=1\n; B=2\n\n  C=3\r\n", { C: "3" }],
  ["export A=1\nA=2", { A: "2" }],
  [`A="x y"\nB='it"s'\nC="half\nD=`, { A: "x y", B: `it"s`, C: `"half`, D: "" }],
  ["URL=postgres://u:p%40@h/db?sslmode=require#x", { URL: "postgres://u:p%40@h/db?sslmode=require#x" }],
])("reads %j", (text, expected) => {
  expect(read(text)).toEqual(expected);
});

test("names the line that is no setting, without its text, which may be a secret", () => {
  expect(() => read("A=1\nsecret words\n")).toThrow(/next\.env: line 2 is not a setting such as NAME=value$/);
});

test("names a file that can't be read", () => {
  expect(() => readSettingsFile(join(directory, "missing"))).toThrow("missing can't be read (ENOENT)");
});

test("a setting replaces the file that its value was in, and the other way round", () => {
  const env = { KURZ_SECRET_KEY_FILE: "/run/key", DATABASE_URL: "postgres://a/b", PATH: "/bin" };
  expect(withSettings(env, { KURZ_SECRET_KEY: "k", DATABASE_URL_FILE: "/run/url" })).toEqual({
    PATH: "/bin",
    KURZ_SECRET_KEY: "k",
    DATABASE_URL_FILE: "/run/url",
  });
});
