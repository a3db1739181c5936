import { afterEach, beforeEach, expect, test } from "bun:test";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { brotliCompressSync, brotliDecompressSync } from "node:zlib";
import { consoleFiles } from "./console-files.ts";
import { consoleSite } from "./console-site.ts";

let directory: string;
beforeEach(() => {
  directory = mkdtempSync(join(tmpdir(), "kurz-site-"));
});
afterEach(() => rmSync(directory, { recursive: true }));

/** With one style sheet for both languages. */
function writeBuild(): void {
  const files = ["main.1.js", "main.2.js", "boot.1.js", "main.1.css"];
  for (const file of files) writeFileSync(join(directory, file), `/* ${file} */`);
  const pages = {
    en: { script: "main.1.js", style: "main.1.css" },
    de: { script: "main.2.js", style: "main.1.css" },
  };
  const boot = "boot.1.js";
  writeFileSync(join(directory, "manifest.json"), JSON.stringify({ pages, boot, share: { pages, boot }, files }));
}

const get = (site: ReturnType<typeof consoleSite>, path: string) => site(new Request(`http://localhost${path}`));

test("a page says that the console is being built, and the console appears as soon as it is ready", async () => {
  const site = consoleSite({ files: consoleFiles(directory), https: false });
  const waiting = await get(site, "/console");
  expect([waiting.status, waiting.headers.get("retry-after")]).toEqual([503, "3"]);
  expect(await waiting.text()).toContain("being built");
  writeBuild();
  expect((await get(site, "/console/sign-in")).status).toBe(200);
  expect(await (await get(site, "/console/assets/main.1.css")).text()).toBe("/* main.1.css */");
  expect((await get(site, "/console/assets/manifest.json")).status).toBe(404);
});

test.each([
  [{}, "en"],
  [{ "accept-language": "de-AT,de;q=0.9,en;q=0.5" }, "de"],
  [{ "accept-language": "fr, en;q=0.5, de;q=0.7" }, "de"],
  [{ "accept-language": "de", cookie: "a=1; kurz-language=en" }, "en"],
  [{ "accept-language": "en", cookie: "kurz-language=de; a=1" }, "de"],
  [{ "accept-language": "de", cookie: "kurz-language=xx" }, "de"],
  [{ cookie: "not-kurz-language=de" }, "en"],
])("the page for %j is in %s", async (headers, language) => {
  writeBuild();
  const site = consoleSite({ files: consoleFiles(directory), https: false });
  const response = await site(new Request("http://localhost/console/sign-in", { headers }));
  expect(response.headers.get("vary")).toBe("Accept-Encoding, Accept-Language, Cookie");
  const page = await response.text();
  expect(page).toContain(`<html lang="${language}">`);
  expect(page).toContain(language === "de" ? "main.2.js" : "main.1.js");
});

test("a file is sent as the build compressed it to browsers that understand it", async () => {
  writeBuild();
  writeFileSync(join(directory, "main.1.js.br"), brotliCompressSync("/* main.1.js */"));
  const site = consoleSite({ files: consoleFiles(directory), https: false });
  const send = (encoding: string) =>
    site(new Request("http://localhost/console/assets/main.1.js", { headers: { "accept-encoding": encoding } }));
  const compressed = await send("gzip, br");
  expect(compressed.headers.get("content-encoding")).toBe("br");
  expect(brotliDecompressSync(await compressed.arrayBuffer()).toString()).toBe("/* main.1.js */");
  const plain = await send("gzip, br;q=0");
  expect(plain.headers.get("content-encoding")).not.toBe("br");
  expect(plain.headers.get("etag")).toBe(compressed.headers.get("etag"));
});
