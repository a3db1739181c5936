import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import type { PublicFile, PublicFiles } from "#http/public-files.ts";
import { type ConsoleLanguage, consoleLanguages } from "#shared/console-languages.ts";
import { BROTLI_ENDING, type ConsoleManifest, MANIFEST_FILE } from "#shared/console-manifest.ts";
import { consolePolicy, renderConsolePage, SPLASH_STYLE } from "./console-page.ts";

/** The directory of the built console. */
export const CONSOLE_DIST = join(import.meta.dir, "..", "..", "dist", "console");

const TYPES: Readonly<Record<string, string>> = {
  js: "text/javascript; charset=utf-8",
  css: "text/css; charset=utf-8",
  svg: "image/svg+xml; charset=utf-8",
  woff2: "font/woff2",
};

/** File names contain a content hash, so browsers never request one twice. */
const IMMUTABLE = "public, max-age=31536000, immutable";

export interface ConsoleFiles {
  readonly assets: PublicFiles;
  /** Every console URL serves the same page, in the reader's language; its script renders the rest. */
  readonly pages: Readonly<Record<ConsoleLanguage, PublicFile>>;
  readonly policy: string;
}

/** Throws if the console was never built. */
export function readConsoleFiles(directory: string): ConsoleFiles {
  const manifest: ConsoleManifest = JSON.parse(readFileSync(join(directory, MANIFEST_FILE), "utf8"));
  const assets = manifest.files.map((file): [string, PublicFile] => {
    const type = TYPES[file.slice(file.lastIndexOf(".") + 1)] ?? "application/octet-stream";
    const compressed = join(directory, `${file}${BROTLI_ENDING}`);
    return [
      `/console/assets/${file}`,
      {
        body: readFileSync(join(directory, file)),
        type,
        cacheControl: IMMUTABLE,
        ...(existsSync(compressed) && { brotli: readFileSync(compressed) }),
      },
    ];
  });
  const bootScript = readFileSync(join(directory, manifest.boot), "utf8").trim();
  return {
    assets: new Map(assets),
    pages: Object.fromEntries(
      consoleLanguages.map((language): [ConsoleLanguage, PublicFile] => [
        language,
        {
          body: renderConsolePage({ ...manifest, ...manifest.pages[language], language, bootScript }),
          type: "text/html; charset=utf-8",
          cacheControl: "no-cache",
          varies: ["Accept-Language", "Cookie"],
        },
      ]),
    ) as Record<ConsoleLanguage, PublicFile>,
    policy: consolePolicy({ script: bootScript, style: SPLASH_STYLE }),
  };
}
