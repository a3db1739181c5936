import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { brotliCompressSync, constants } from "node:zlib";
import type { PublicFile } from "#http/public-files.ts";
import { shippedFile } from "#kernel/shipped-files.ts";
import { BROTLI_ENDING, MANIFEST_FILE } from "#shared/console-manifest.ts";
import { BASE_URL_MARK, DOCS_ASSETS, type DocsManifest } from "#shared/docs-manifest.ts";
import { escapeHtml } from "#shared/escape-html.ts";

/** The directory of the built documentation. */
export const DOCS_DIST = shippedFile("dist/docs");

const TYPES: Readonly<Record<string, string>> = {
  js: "text/javascript; charset=utf-8",
  css: "text/css; charset=utf-8",
  json: "application/json; charset=utf-8",
  svg: "image/svg+xml; charset=utf-8",
  webp: "image/webp",
};
/** File names contain a content hash, so browsers never request one twice. */
const IMMUTABLE = "public, max-age=31536000, immutable";
// A page is compressed on its first request, while others wait: this takes two milliseconds for the longest.
const BROTLI_QUALITY = 5;

export interface DocsFiles {
  find(path: string): PublicFile | undefined;
  /** The page for paths that don't exist. */
  readonly missing: string;
}

interface DocsOptions {
  readonly directory: string;
  /** Shown in the examples. */
  readonly baseUrl: string;
}

/** Reads the manifest once it is there, and each file on its first request: most of them are never requested. */
export function docsFiles(options: DocsOptions): () => DocsFiles | null {
  let files: DocsFiles | null = null;
  return () => {
    try {
      files ??= openFiles(options);
    } catch {
      // Not built yet, or just being replaced.
    }
    return files;
  };
}

/** Throws if the documentation was never built. */
function openFiles({ directory, baseUrl }: DocsOptions): DocsFiles {
  const read = (file: string): Buffer => readFileSync(join(directory, file));
  const { pages, missing, texts, assets }: DocsManifest = JSON.parse(read(MANIFEST_FILE).toString());
  const page = (file: string): string => read(file).toString().replaceAll(BASE_URL_MARK, escapeHtml(baseUrl));
  const makers = new Map<string, () => PublicFile>([
    ...Object.entries(pages).map(([path, file]): [string, () => PublicFile] => [path, () => htmlFile(page(file))]),
    ...Object.entries(texts).map(([path, file]): [string, () => PublicFile] => [path, () => textFile(read(file))]),
    ...assets.map((file): [string, () => PublicFile] => [DOCS_ASSETS + file, () => assetFile(directory, file)]),
  ]);
  const made = new Map<string, PublicFile>();
  return {
    missing: page(missing),
    find(path) {
      const known = made.get(path) ?? makers.get(path)?.();
      if (known) made.set(path, known);
      return known;
    },
  };
}

const htmlFile = (body: string): PublicFile => ({
  body,
  type: "text/html; charset=utf-8",
  cacheControl: "no-cache",
  brotli: brotliCompressSync(body, { params: { [constants.BROTLI_PARAM_QUALITY]: BROTLI_QUALITY } }),
});

const textFile = (body: Uint8Array): PublicFile => ({
  body,
  type: "text/plain; charset=utf-8",
  cacheControl: "no-cache",
});

function assetFile(directory: string, file: string): PublicFile {
  const compressed = join(directory, `${file}${BROTLI_ENDING}`);
  return {
    body: readFileSync(join(directory, file)),
    type: TYPES[file.slice(file.lastIndexOf(".") + 1)] ?? "application/octet-stream",
    cacheControl: IMMUTABLE,
    ...(existsSync(compressed) && { brotli: readFileSync(compressed) }),
  };
}
