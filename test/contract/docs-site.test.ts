import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import { brotliDecompressSync } from "node:zlib";
import { CspEvaluator } from "csp_evaluator";
import { CspParser } from "csp_evaluator/dist/parser.js";
import { docsAssets, docsPaths } from "#test/support/docs-page.ts";
import { type KurzServer, startKurz } from "#test/support/kurz-server.ts";

let kurz: KurzServer;
const pages = new Map<string, string>();
beforeAll(async () => {
  kurz = await startKurz();
  for (const path of docsPaths) pages.set(path, await (await ask(path)).text());
});
afterAll(() => kurz.stop());

const ask = (path: string, init: RequestInit = {}) => fetch(`${kurz.url}${path}`, init);
const valuesOf = (html: string, pattern: RegExp): string[] =>
  [...html.matchAll(pattern)].map(([, value = ""]) => value);

describe("every page of the documentation", () => {
  test("is served to anyone, and there are as many as the docs have", () => {
    expect(docsPaths.length).toBeGreaterThan(20);
    for (const [path, html] of pages)
      expect({ path, html }).toEqual({ path, html: expect.stringMatching(/<h1>[\s\S]+<\/html>\s*$/) });
  });

  test("contains no inline script, inline style or event handler", () => {
    for (const [path, html] of pages) {
      expect({ path, found: html.match(/<script(?![^>]*\ssrc=)[^>]*>|<style|\sstyle=|\son[a-z]+=/) }).toEqual({
        path,
        found: null,
      });
    }
  });

  test("loads only what this server has", async () => {
    const loaded = new Set(
      [...pages.values()].flatMap((html) =>
        valuesOf(html, /<(?:script|img|source|link)[^>]*?\s(?:src|href|srcset)="([^"]+)"/g),
      ),
    );
    expect(loaded.size).toBeGreaterThan(10);
    for (const path of loaded) {
      expect(path).toStartWith("/");
      expect({ path, status: (await ask(path)).status }).toEqual({ path, status: 200 });
    }
  });

  test("links to pages and sections that exist", () => {
    const problems = [...pages].flatMap(([path, html]) =>
      valuesOf(html, /<a [^>]*?href="([^"]+)"/g)
        .filter((href) => {
          if (!/^(?:#|\/docs)/.test(href) || /^\/docs\/(?:licences\.txt|clients\/)/.test(href)) return false;
          const [target = "", anchor] = href.split("#");
          const page = pages.get(target === "" ? path : target);
          return page === undefined || (anchor !== undefined && !page.includes(`id="${anchor}"`));
        })
        .map((href) => `${path} → ${href}`),
    );
    expect(problems).toEqual([]);
  });

  test("has this instance's address in its examples, and no mark left", () => {
    for (const html of pages.values()) expect(html).not.toContain("{{");
    expect(pages.get("/docs/analytics")).toContain(`${kurz.url.replace("127.0.0.1", "localhost")}/api/v1`);
  });
});

describe("answers", () => {
  test("have a policy in which an evaluator finds no weakness, and the headers of all pages", async () => {
    for (const path of ["/docs", "/docs/links", "/docs/api", "/docs/nothing", docsAssets[0] ?? ""]) {
      const { headers } = await ask(path.startsWith("/") ? path : `/docs/assets/${path}`);
      const policy = headers.get("content-security-policy") ?? "";
      const findings = new CspEvaluator(new CspParser(policy).csp).evaluate();
      expect(findings.filter(({ severity }) => severity <= 30).map(({ description }) => description)).toEqual([]);
      expect(headers.get("x-content-type-options")).toBe("nosniff");
      expect(headers.get("cross-origin-opener-policy")).toBe("same-origin");
    }
  });

  test("are revalidated for pages, and kept for good for files with their hash in the name", async () => {
    const page = await ask("/docs/links");
    expect(page.headers.get("cache-control")).toBe("no-cache");
    const etag = page.headers.get("etag") ?? "";
    expect((await ask("/docs/links", { headers: { "if-none-match": etag } })).status).toBe(304);
    const asset = await ask(`/docs/assets/${docsAssets[0]}`);
    expect(asset.headers.get("cache-control")).toBe("public, max-age=31536000, immutable");
  });

  test("are compressed as well as the browser allows", async () => {
    for (const coding of ["br", "gzip"]) {
      const response = await fetch(`${kurz.url}/docs/operations`, {
        headers: { "accept-encoding": coding },
        decompress: false,
      });
      expect(response.headers.get("content-encoding")).toBe(coding);
      const bytes = new Uint8Array(await response.arrayBuffer());
      const text = coding === "br" ? brotliDecompressSync(bytes) : Bun.gunzipSync(bytes);
      expect(new TextDecoder().decode(text)).toBe(pages.get("/docs/operations") ?? "");
      expect(bytes.length).toBeLessThan(text.length / 2.5);
    }
  });

  test("are 404 for other paths: a page with the menu, and a line for files", async () => {
    const page = await ask("/docs/nothing");
    expect([page.status, page.headers.get("content-type")]).toEqual([404, "text/html; charset=utf-8"]);
    expect(await page.text()).toContain('href="/docs/links"');
    const file = await ask("/docs/assets/nothing.js");
    expect([file.status, await file.text()]).toEqual([404, "Not found.\n"]);
    for (const path of ["/docs/assets/manifest.json", "/docs/index.html", "/docs/links.md"]) {
      expect({ path, status: (await ask(path)).status }).toEqual({ path, status: 404 });
    }
  });

  test("are refused for other methods", async () => {
    const response = await ask("/docs/links", { method: "POST" });
    expect([response.status, response.headers.get("allow")]).toEqual([405, "GET, HEAD"]);
  });
});

test("the site is small: a page, its style and its scripts, and all of it", async () => {
  const compressed = async (path: string): Promise<number> => {
    const response = await fetch(kurz.url + path, { headers: { "accept-encoding": "br" }, decompress: false });
    return (await response.arrayBuffer()).byteLength;
  };
  const html = pages.get("/docs/links") ?? "";
  const loaded = valuesOf(html, /<(?:script|link rel="stylesheet")[^>]*?\s(?:src|href)="([^"]+)"/g);
  const sizes = await Promise.all(["/docs/links", ...loaded].map(compressed));
  expect(sizes.reduce((sum, size) => sum + size, 0)).toBeLessThan(40_000);
  const index = docsAssets.find((name) => name.startsWith("search.")) ?? "";
  expect(await compressed(`/docs/assets/${index}`)).toBeLessThan(120_000);
});
