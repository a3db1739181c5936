import { afterAll, beforeAll, expect, test } from "bun:test";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { blocksOf } from "#test/support/documentation.ts";
import type { KurzServer } from "#test/support/kurz-server.ts";
import { type LinkApi, startKurzWithApi } from "#test/support/link-api.ts";

const ROOT = join(import.meta.dir, "..", "..");
const PAGE = "docs/api-guide.md";

let kurz: KurzServer;
let api: LinkApi;
const directory = mkdtempSync(join(tmpdir(), "kurz-programs-"));
beforeAll(async () => {
  ({ kurz, api } = await startKurzWithApi());
});
afterAll(async () => {
  await kurz.stop();
  rmSync(directory, { recursive: true });
});

test("the TypeScript of the API guide runs as written, from top to bottom", async () => {
  const blocks = blocksOf(PAGE).filter(({ language }) => language === "ts");
  expect(blocks.length).toBeGreaterThan(12);
  const program = blocks
    .map(({ text }) => text)
    .join("\n")
    .replaceAll('"@kurz/sdk"', JSON.stringify(join(ROOT, "sdk", "src", "index.ts")))
    .replace("http://localhost:8080", kurz.url)
    .replace("kurz_…", api.authorization.replace("Bearer ", ""));
  const file = join(directory, "guide.ts");
  writeFileSync(file, program);
  const run = Bun.spawn([process.execPath, file], { stdout: "pipe", stderr: "pipe" });
  const [out, err, code] = await Promise.all([
    new Response(run.stdout).text(),
    new Response(run.stderr).text(),
    run.exited,
  ]);
  expect({ code, err }).toEqual({ code: 0, err: "" });
  // What the comments in the guide promise.
  expect(out).toContain("[ 201, 200 ]");
  expect(out).toMatch(/is taken$/m);
});
