import { expect, test } from "bun:test";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import { commandFor } from "./command-name.ts";

test("through npm, a command is told which data the server uses, unless it would find it anyway", () => {
  expect(commandFor(resolve("data"), "")).toBe("npm run -s kurz --");
  expect(commandFor("/srv/kurz", "")).toBe("KURZ_DATA_DIR=/srv/kurz npm run -s kurz --");
  expect(commandFor("/srv/my links", "")).toBe('KURZ_DATA_DIR="/srv/my links" npm run -s kurz --');
});

test("where it is installed, its name will do", () => {
  const directory = mkdtempSync(join(tmpdir(), "kurz-installed-"));
  writeFileSync(join(directory, "kurz"), "", { mode: 0o755 });
  expect(commandFor("/srv/kurz", directory)).toBe("kurz");
  rmSync(directory, { recursive: true });
});
