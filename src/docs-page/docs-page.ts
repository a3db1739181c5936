import { createHash } from "node:crypto";
import { readFile } from "node:fs/promises";
import { CLIENTS_PATH } from "./client-files.ts";

export interface DocsFile {
  readonly body: Uint8Array | string;
  readonly type: string;
  readonly cacheControl: string;
}

/** The renderer only sets styles through the CSSOM, so the page needs neither inline styles nor inline scripts. */
export const DOCS_CSP = [
  "default-src 'none'",
  "script-src 'self'",
  "style-src 'self'",
  "img-src 'self' data:",
  "connect-src 'self'",
  "form-action 'none'",
  "frame-ancestors 'none'",
  "base-uri 'none'",
].join("; ");

const SCRIPT = "text/javascript; charset=utf-8";
const STYLE = "text/css; charset=utf-8";
const TEXT = "text/plain; charset=utf-8";
const IMMUTABLE = "public, max-age=31536000, immutable";

let filesRead: Promise<ReadonlyMap<string, DocsFile>> | undefined;

/** Reads the renderer on the first call and caches it; the next call retries a failed read. */
export function docsFiles(): Promise<ReadonlyMap<string, DocsFile>> {
  filesRead ??= readFiles().catch((error: unknown) => {
    filesRead = undefined;
    throw error;
  });
  return filesRead;
}

async function readFiles(): Promise<ReadonlyMap<string, DocsFile>> {
  const [rendererScript, rendererStyle, pageScript, pageStyle, licences] = await Promise.all([
    readRendererFile("swagger-ui-bundle.js"),
    readRendererFile("swagger-ui.css"),
    readOwnFile("docs-page.client.js"),
    readOwnFile("docs-page.css"),
    readLicences(),
  ]);
  const assets = {
    rendererScript: hashedAsset("renderer", "js", rendererScript),
    rendererStyle: hashedAsset("renderer", "css", rendererStyle),
    pageScript: hashedAsset("page", "js", pageScript),
    pageStyle: hashedAsset("page", "css", pageStyle),
  };
  return new Map<string, DocsFile>([
    ["/docs", { body: renderPage(assets), type: "text/html; charset=utf-8", cacheControl: "no-cache" }],
    ["/docs/licences.txt", { body: licences, type: TEXT, cacheControl: "no-cache" }],
    ...Object.values(assets).map(({ path, file }): [string, DocsFile] => [path, file]),
  ]);
}

const readRendererFile = (name: string): Promise<Uint8Array> =>
  readFile(new URL(import.meta.resolve(`swagger-ui-dist/${name}`)));

const readOwnFile = (name: string): Promise<Uint8Array> => readFile(new URL(name, import.meta.url));

/** Apache-2.0 section 4 requires distributing the renderer with its license and notice. */
async function readLicences(): Promise<string> {
  const names = ["NOTICE", "LICENSE", "swagger-ui-bundle.js.LICENSE.txt"];
  const texts = await Promise.all(names.map(async (name) => new TextDecoder().decode(await readRendererFile(name))));
  return texts.map((text) => text.trim()).join("\n\n");
}

interface Asset {
  readonly path: string;
  readonly file: DocsFile;
}

function hashedAsset(name: string, extension: "js" | "css", body: Uint8Array): Asset {
  const hash = createHash("sha256").update(body).digest("hex").slice(0, 12);
  const type = extension === "js" ? SCRIPT : STYLE;
  return { path: `/docs/${name}.${hash}.${extension}`, file: { body, type, cacheControl: IMMUTABLE } };
}

type AssetName = "rendererScript" | "rendererStyle" | "pageScript" | "pageStyle";

const renderPage = (assets: Readonly<Record<AssetName, Asset>>): string => `<!doctype html>
<html lang="en">
  <head>
    <meta charset="utf-8">
    <meta name="viewport" content="width=device-width, initial-scale=1">
    <meta name="color-scheme" content="light dark">
    <title>Kurz API reference</title>
    <link rel="icon" href="data:,">
    <link rel="stylesheet" href="${assets.rendererStyle.path}">
    <link rel="stylesheet" href="${assets.pageStyle.path}">
    <script src="${assets.rendererScript.path}" defer></script>
    <script src="${assets.pageScript.path}" defer></script>
  </head>
  <body>
    <header class="page-header">
      <strong>Kurz API reference</strong>
      <nav aria-label="OpenAPI document">
        OpenAPI 3.1:
        <a href="/api/v1/openapi.json?download=1" download="openapi.json">JSON</a>
        <a href="/api/v1/openapi.yaml?download=1" download="openapi.yaml">YAML</a>
      </nav>
      <nav aria-label="Clients">
        Clients:
        <a href="${CLIENTS_PATH}kurz-sdk.tgz" download>TypeScript and JavaScript</a>
      </nav>
    </header>
    <nav class="page-sections" aria-label="Sections" hidden></nav>
    <main id="reference" data-document="/api/v1/openapi.json">
      <noscript>This page needs JavaScript. The OpenAPI document above holds the same content.</noscript>
    </main>
    <footer class="page-footer"><a href="/docs/licences.txt">Licences</a></footer>
  </body>
</html>
`;
