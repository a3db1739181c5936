import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import type { PublicFile, PublicFiles } from "#http/public-files.ts";
import { shippedFile } from "#kernel/shipped-files.ts";
import { type ConsoleLanguage, consoleLanguages } from "#shared/console-languages.ts";
import { BROTLI_ENDING, type ConsoleManifest, MANIFEST_FILE } from "#shared/console-manifest.ts";
import { consolePolicy, type PageKind, renderConsolePage, SPLASH_STYLE } from "./console-page.ts";

/** The directory of the built console. */
export const CONSOLE_DIST = shippedFile("dist/console");

const TYPES: Readonly<Record<string, string>> = {
  js: "text/javascript; charset=utf-8",
  css: "text/css; charset=utf-8",
  svg: "image/svg+xml; charset=utf-8",
  woff2: "font/woff2",
};

/** File names contain a content hash, so browsers never request one twice. */
const IMMUTABLE = "public, max-age=31536000, immutable";

/** Every URL of a kind serves the same page, in the reader's language; its script renders the rest. */
interface Pages {
  readonly pages: Readonly<Record<ConsoleLanguage, PublicFile>>;
  readonly policy: string;
}

export interface ConsoleFiles {
  readonly assets: PublicFiles;
  readonly console: Pages;
  readonly share: Pages;
}

export type FindConsoleFiles = () => ConsoleFiles | null;

/** Reads the files once they are there. */
export function consoleFiles(directory: string): FindConsoleFiles {
  let files: ConsoleFiles | null = null;
  return () => {
    try {
      files ??= readConsoleFiles(directory);
    } catch {
      // Not built yet, or just being replaced.
    }
    return files;
  };
}

/** Throws if the console was never built. */
function readConsoleFiles(directory: string): ConsoleFiles {
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
  return {
    assets: new Map(assets),
    console: readPages(directory, manifest, "console"),
    share: readPages(directory, manifest, "share"),
  };
}

const headersOf = {
  console: { cacheControl: "no-cache", varies: ["Accept-Language", "Cookie"] },
  share: { cacheControl: "no-store", varies: ["Accept-Language"] },
} as const;

function readPages(directory: string, manifest: ConsoleManifest, kind: PageKind): Pages {
  const { pages, boot } = kind === "console" ? manifest : manifest.share;
  const bootScript = readFileSync(join(directory, boot), "utf8").trim();
  const pageIn = (language: ConsoleLanguage): [ConsoleLanguage, PublicFile] => [
    language,
    {
      body: renderConsolePage({ ...manifest, ...pages[language], kind, language, bootScript }),
      type: "text/html; charset=utf-8",
      ...headersOf[kind],
    },
  ];
  return {
    pages: Object.fromEntries(consoleLanguages.map(pageIn)) as Pages["pages"],
    policy: consolePolicy({ script: bootScript, style: SPLASH_STYLE }),
  };
}
