import { afterEach, beforeEach, describe, expect, test } from "bun:test";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { brotliDecompressSync } from "node:zlib";
import { BASE_URL_MARK, type DocsManifest } from "#shared/docs-manifest.ts";
import { clientFiles } from "./client-files.ts";
import { docsFiles } from "./docs-files.ts";
import { DOCS_CSP, docsSite } from "./docs-site.ts";

let directory: string;
let site: (request: Request) => Promise<Response>;
beforeEach(() => {
  directory = mkdtempSync(join(tmpdir(), "kurz-docs-"));
  site = docsSite({
    files: docsFiles({ directory, baseUrl: "https://go.example" }),
    clients: clientFiles(directory),
    https: true,
  });
});
afterEach(() => rmSync(directory, { recursive: true }));

function writeBuild(): void {
  const manifest: DocsManifest = {
    pages: { "/docs": "index.html", "/docs/links": "links.html" },
    missing: "missing.html",
    texts: { "/docs/licences.txt": "licences.txt" },
    assets: ["site.1.css", "picture.1.webp"],
  };
  const files = {
    "index.html": "<h1>Start</h1>",
    "links.html": `<code>curl ${BASE_URL_MARK}/api ${BASE_URL_MARK}/b</code>`,
    "missing.html": "<h1>Nothing here</h1>",
    "licences.txt": "MIT",
    "site.1.css": "a{}",
    "picture.1.webp": "RIFF",
    "manifest.json": JSON.stringify(manifest),
  };
  for (const [name, text] of Object.entries(files)) writeFileSync(join(directory, name), text);
}

const get = (path: string, headers = {}) => site(new Request(`http://localhost${path}`, { headers }));

test("a page says that the documentation is being built, which appears as soon as it is ready", async () => {
  const waiting = await get("/docs");
  expect([waiting.status, waiting.headers.get("retry-after")]).toEqual([503, "3"]);
  expect(await waiting.text()).toContain("being built");
  writeBuild();
  expect(await (await get("/docs")).text()).toBe("<h1>Start</h1>");
});

describe("a page", () => {
  beforeEach(writeBuild);

  test("has the instance's own address in its examples", async () => {
    const response = await get("/docs/links");
    expect(response.headers.get("content-type")).toBe("text/html; charset=utf-8");
    expect(await response.text()).toBe("<code>curl https://go.example/api https://go.example/b</code>");
  });

  test("is also there with a slash at its end, and for HEAD", async () => {
    expect((await get("/docs/")).status).toBe(200);
    const head = await site(new Request("http://localhost/docs/links", { method: "HEAD" }));
    expect(head.status).toBe(200);
    expect((await site(new Request("http://localhost/docs", { method: "POST" }))).status).toBe(405);
  });

  test("is revalidated each time, and compressed", async () => {
    const response = await get("/docs/links", { "accept-encoding": "br, gzip" });
    expect([response.headers.get("cache-control"), response.headers.get("content-encoding")]).toEqual([
      "no-cache",
      "br",
    ]);
    expect(brotliDecompressSync(await response.arrayBuffer()).toString()).toContain("https://go.example");
    const etag = response.headers.get("etag") ?? "";
    expect((await get("/docs/links", { "if-none-match": etag })).status).toBe(304);
  });

  test("that doesn't exist is a page with 404, even if a cache asks", async () => {
    for (const headers of [{}, { "if-none-match": "*" }]) {
      const response = await get("/docs/nothing", headers);
      expect([response.status, response.headers.get("content-type")]).toEqual([404, "text/html; charset=utf-8"]);
      expect(await response.text()).toBe("<h1>Nothing here</h1>");
    }
  });
});

describe("a file", () => {
  beforeEach(writeBuild);

  test("is kept for good, and has its type", async () => {
    for (const [path, type] of [
      ["/docs/assets/site.1.css", "text/css; charset=utf-8"],
      ["/docs/assets/picture.1.webp", "image/webp"],
    ] as const) {
      const { headers } = await get(path);
      expect([headers.get("content-type"), headers.get("cache-control")]).toEqual([
        type,
        "public, max-age=31536000, immutable",
      ]);
    }
    expect(await (await get("/docs/licences.txt")).text()).toBe("MIT");
  });

  test("is only served if the build lists it", async () => {
    for (const path of ["/docs/assets/manifest.json", "/docs/assets/none.js", "/docs/assets/index.html"]) {
      expect((await get(path)).status).toBe(404);
    }
    expect((await get("/docs/index.html")).status).toBe(404);
  });
});

test("the policy of the pages allows nothing inline, no evaluation and no other origin", async () => {
  writeBuild();
  expect((await get("/docs")).headers.get("content-security-policy")).toBe(DOCS_CSP);
  expect(DOCS_CSP).toStartWith("default-src 'none';");
  expect(DOCS_CSP).not.toMatch(/unsafe|https?:|\*|blob:/);
});
