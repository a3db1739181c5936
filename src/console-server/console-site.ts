import { servePublicFile } from "#http/public-files.ts";
import { newRequestContext } from "#http/request-context.ts";
import { chooseLanguage } from "#shared/choose-language.ts";
import { type ConsoleLanguage, consoleLanguages, LANGUAGE_COOKIE } from "#shared/console-languages.ts";
import type { FindConsoleFiles } from "./console-files.ts";
import { consolePolicy } from "./console-page.ts";

interface SiteOptions {
  readonly files: FindConsoleFiles;
  readonly https: boolean;
}

const RETRY_SECONDS = 3;

/** The console's page and its assets, read on the first request. Until they are built, a page says so. */
export function consoleSite({ files, https }: SiteOptions): (request: Request) => Promise<Response> {
  return async (request) => {
    const found = files();
    const headers = {
      ...newRequestContext(request, { cors: { allowedOrigins: [] }, https }).headers,
      "content-security-policy": found?.console.policy ?? consolePolicy(null),
      "cross-origin-opener-policy": "same-origin",
    };
    if (request.method !== "GET" && request.method !== "HEAD") {
      return new Response("Method not allowed.\n", { status: 405, headers: { ...headers, allow: "GET, HEAD" } });
    }
    if (!found) {
      const wait = { "content-type": "text/html; charset=utf-8", "retry-after": String(RETRY_SECONDS) };
      return new Response(PREPARING, { status: 503, headers: { ...headers, ...wait } });
    }
    const { pathname } = new URL(request.url);
    if (pathname.startsWith("/console/assets/")) return servePublicFile(found.assets, pathname, request, headers);
    return servePublicFile(new Map([[pathname, found.console.pages[languageOf(request)]]]), pathname, request, headers);
  };
}

const LANGUAGE = new RegExp(`(?:^|;\\s*)${LANGUAGE_COOKIE}=(\\w+)`);

/** The one chosen in the console, else the browser's. */
function languageOf({ headers }: Request): ConsoleLanguage {
  const chosen = LANGUAGE.exec(headers.get("cookie") ?? "")?.[1];
  return (
    consoleLanguages.find((language) => language === chosen) ??
    chooseLanguage(headers.get("accept-language"), consoleLanguages)
  );
}

const PREPARING = `<!doctype html>
<html lang="en">
  <head>
    <meta charset="utf-8">
    <meta name="viewport" content="width=device-width, initial-scale=1">
    <meta http-equiv="refresh" content="${RETRY_SECONDS}">
    <title>Kurz</title>
  </head>
  <body>
    <p>The console is being built. This page reloads by itself.</p>
  </body>
</html>
`;
