import { readFileSync } from "node:fs";
import { join } from "node:path";
import { getState } from "#contract/console/session.ts";
import type { PublicFile, PublicFiles } from "#http/public-files.ts";
import { type ConsoleManifest, MANIFEST_FILE } from "#shared/console-manifest.ts";

/** The directory of the built console. */
export const CONSOLE_DIST = join(import.meta.dir, "..", "..", "dist", "console");

/** No inline script or style; the page calls its own server only. */
export const CONSOLE_CSP = [
  "default-src 'none'",
  "script-src 'self'",
  "style-src 'self'",
  "connect-src 'self'",
  "img-src 'self' data: blob:",
  "font-src 'self'",
  "manifest-src 'self'",
  "worker-src 'self'",
  "form-action 'self'",
  "base-uri 'none'",
  "frame-ancestors 'none'",
].join("; ");

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
  /** Every console URL serves the same page; its script renders the rest. */
  readonly page: PublicFile;
}

/** Throws if the console was never built. */
export function readConsoleFiles(directory: string): ConsoleFiles {
  const manifest: ConsoleManifest = JSON.parse(readFileSync(join(directory, MANIFEST_FILE), "utf8"));
  const assets = manifest.files.map((file): [string, PublicFile] => {
    const type = TYPES[file.slice(file.lastIndexOf(".") + 1)] ?? "application/octet-stream";
    return [`/console/assets/${file}`, { body: readFileSync(join(directory, file)), type, cacheControl: IMMUTABLE }];
  });
  return {
    assets: new Map(assets),
    page: { body: renderPage(manifest), type: "text/html; charset=utf-8", cacheControl: "no-cache" },
  };
}

/** Preloads the session state, which the script needs first, and the font, which only the style sheet names. */
const renderPage = ({ script, theme, style, font, icon }: ConsoleManifest): string => `<!doctype html>
<html lang="en">
  <head>
    <meta charset="utf-8">
    <meta name="viewport" content="width=device-width, initial-scale=1, viewport-fit=cover">
    <meta name="color-scheme" content="light dark">
    <meta name="robots" content="noindex">
    <title>Kurz</title>
    <link rel="icon" href="/console/assets/${icon}" type="image/svg+xml">
    <script src="/console/assets/${theme}"></script>
    <link rel="preload" href="/console/assets/${font}" as="font" type="font/woff2" crossorigin>
    <link rel="preload" href="${getState.path}" as="fetch" crossorigin>
    <link rel="stylesheet" href="/console/assets/${style}">
    <script type="module" src="/console/assets/${script}"></script>
  </head>
  <body>
    <div id="root"></div>
    <noscript>The console needs JavaScript. Everything it does can be done through the API as well.</noscript>
  </body>
</html>
`;
