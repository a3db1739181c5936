import { describe, expect, test } from "bun:test";
import { DOCS_CSP, docsFiles } from "./docs-page.ts";

const files = await docsFiles();
const page = text("/docs");
const loads = [...page.matchAll(/<(?:script|link)[^>]*?\s(?:src|href)="([^"]+)"/g)].map(([, address = ""]) => address);
const localLoads = loads.filter((address) => !address.startsWith("data:"));

function text(path: string): string {
  const body = files.get(path)?.body;
  if (body === undefined) throw new Error(`no file for ${path}`);
  return typeof body === "string" ? body : new TextDecoder().decode(body);
}

describe("the reference page", () => {
  test("every script and stylesheet it loads is one of its own files", () => {
    expect(localLoads).toHaveLength(4);
    for (const path of localLoads) expect(text(path).length).toBeGreaterThan(0);
  });

  test("it contains no inline script, inline style or event handler", () => {
    expect(page).not.toMatch(/<script(?![^>]*\ssrc=)/);
    expect(page).not.toMatch(/<style|\sstyle=|\son[a-z]+=/);
  });

  test("neither the page nor its own script and stylesheet reference another host", () => {
    const own = localLoads.filter((path) => path.startsWith("/docs/page."));
    expect(own).toHaveLength(2);
    for (const content of [page, ...own.map(text)]) expect(content).not.toMatch(/https?:|["'(]\/\//);
  });

  test("it reads the OpenAPI document of this deployment and offers it as JSON and YAML", () => {
    expect(page).toContain('data-document="/api/v1/openapi.json"');
    expect(page).toContain('href="/api/v1/openapi.json?download=1"');
    expect(page).toContain('href="/api/v1/openapi.yaml?download=1"');
  });

  test("the renderer's online validator is off", () => {
    const script = localLoads.find((path) => /^\/docs\/page\..*\.js$/.test(path)) ?? "";
    expect(text(script)).toContain("validatorUrl: null");
  });
});

describe("the files of the reference", () => {
  test("only files with their hash in the name are cached forever", () => {
    for (const [path, { cacheControl }] of files) {
      expect(cacheControl.includes("immutable")).toBe(/^\/docs\/[a-z]+\.[0-9a-f]{12}\.(js|css)$/.test(path));
    }
  });

  test("each has a media type with a character set", () => {
    for (const { type } of files.values()) expect(type).toMatch(/^text\/(html|css|javascript|plain); charset=utf-8$/);
  });

  test("the renderer's license and notice are served with it", () => {
    expect(text("/docs/licences.txt")).toContain("Apache License");
    expect(text("/docs/licences.txt")).toContain("swagger-ui");
  });

  test("they are read once", async () => {
    expect(await docsFiles()).toBe(files);
  });
});

test("the policy of the page allows nothing inline, no evaluation and no other origin", () => {
  expect(DOCS_CSP).toStartWith("default-src 'none';");
  expect(DOCS_CSP).not.toMatch(/unsafe|https?:|\*|blob:/);
});
