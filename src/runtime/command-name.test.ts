import { afterAll, expect, test } from "bun:test";
import { mkdtempSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import { commandFor } from "./command-name.ts";

const directory = mkdtempSync(join(tmpdir(), "kurz-installed-"));
const installed = join(directory, "kurz");
writeFileSync(installed, "", { mode: 0o755 });
afterAll(() => rmSync(directory, { recursive: true }));

test("through npm, a command is told which data the server uses, unless it would find it anyway", () => {
  expect(commandFor(resolve("data"), { path: "" })).toBe("npm run -s kurz --");
  expect(commandFor("/srv/kurz", { path: "" })).toBe("KURZ_DATA_DIR=/srv/kurz npm run -s kurz --");
  expect(commandFor("/srv/my links", { path: "" })).toBe('KURZ_DATA_DIR="/srv/my links" npm run -s kurz --');
});

test("where it is installed, its name will do", () => {
  expect(commandFor("/srv/kurz", { path: directory })).toBe("kurz");
  expect(commandFor("/srv/kurz", { path: directory, oneFile: "/opt/kurz/kurz" })).toBe("kurz");
});

test("the one-file program is called by its path", () => {
  const here = resolve("kurz-1.0.0");
  expect(commandFor(resolve("data"), { path: "", oneFile: here })).toBe("./kurz-1.0.0");
  expect(commandFor("/srv/kurz", { path: "", oneFile: here })).toBe("KURZ_DATA_DIR=/srv/kurz ./kurz-1.0.0");
  expect(commandFor("/srv/kurz", { path: "", oneFile: "/opt/kurz/kurz" })).toBe(
    "KURZ_DATA_DIR=/srv/kurz /opt/kurz/kurz",
  );
});

test("the one-file program as the installed command still has to be told which data the server uses", () => {
  expect(commandFor("/srv/kurz", { path: directory, oneFile: installed })).toBe("KURZ_DATA_DIR=/srv/kurz kurz");
  const links = mkdtempSync(join(directory, "links-"));
  symlinkSync(installed, join(links, "kurz"));
  expect(commandFor(resolve("data"), { path: links, oneFile: installed })).toBe("kurz");
});
