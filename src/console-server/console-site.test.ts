import { afterEach, beforeEach, expect, test } from "bun:test";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { consoleSite } from "./console-site.ts";

let directory: string;
beforeEach(() => {
  directory = mkdtempSync(join(tmpdir(), "kurz-site-"));
});
afterEach(() => rmSync(directory, { recursive: true }));

const get = (site: ReturnType<typeof consoleSite>, path: string) => site(new Request(`http://localhost${path}`));

test("a page says that the console is being built, and the console appears as soon as it is ready", async () => {
  const site = consoleSite({ directory, https: false });
  const waiting = await get(site, "/console");
  expect([waiting.status, waiting.headers.get("retry-after")]).toEqual([503, "3"]);
  expect(await waiting.text()).toContain("being built");
  const files = ["main.1.js", "theme.1.js", "main.1.css"];
  for (const file of files) writeFileSync(join(directory, file), `/* ${file} */`);
  const manifest = { script: "main.1.js", theme: "theme.1.js", style: "main.1.css", files };
  writeFileSync(join(directory, "manifest.json"), JSON.stringify(manifest));
  expect((await get(site, "/console/sign-in")).status).toBe(200);
  expect(await (await get(site, "/console/assets/main.1.css")).text()).toBe("/* main.1.css */");
  expect((await get(site, "/console/assets/manifest.json")).status).toBe(404);
});
