import { type PublicFiles, servePublicFile } from "#http/public-files.ts";
import { newRequestContext } from "#http/request-context.ts";
import { textResponse } from "#http/text-response.ts";
import { DOCS_ASSETS } from "#shared/docs-manifest.ts";
import { CLIENTS_PATH } from "./client-files.ts";
import type { DocsFiles } from "./docs-files.ts";

const NOT_BUILT = "The clients aren't built on this instance. Its operator can run: npm run build\n";

/**
 * Nothing inline and nothing from elsewhere. The renderer of the API reference only sets styles through the CSSOM, and
 * has a few pictures in its style sheet.
 */
export const DOCS_CSP = [
  "default-src 'none'",
  "script-src 'self'",
  "style-src 'self'",
  "img-src 'self' data:",
  "font-src 'self'",
  "connect-src 'self'",
  "form-action 'none'",
  "frame-ancestors 'none'",
  "base-uri 'none'",
].join("; ");

const RETRY_SECONDS = 3;
const HTML = "text/html; charset=utf-8";

interface SiteOptions {
  readonly files: () => DocsFiles | null;
  readonly clients: () => PublicFiles | null;
  readonly https: boolean;
}

/** The documentation, the API reference and the clients, for anyone. Until pages are built, one says so. */
export function docsSite({ files, clients, https }: SiteOptions): (request: Request) => Promise<Response> {
  return async (request) => {
    const plain = newRequestContext(request, { cors: { allowedOrigins: [] }, https }).headers;
    const headers = {
      ...plain,
      "content-security-policy": DOCS_CSP,
      "cross-origin-opener-policy": "same-origin",
    };
    if (request.method !== "GET" && request.method !== "HEAD") {
      return new Response("Method not allowed.\n", { status: 405, headers: { ...headers, allow: "GET, HEAD" } });
    }
    const path = new URL(request.url).pathname.replace(/(?<=.)\/$/, "");
    if (path.startsWith(CLIENTS_PATH)) {
      const built = clients();
      const missing = new Response(NOT_BUILT, { status: 404, headers: plain });
      return built ? servePublicFile(built, path, request, plain) : missing;
    }
    const found = files();
    if (!found) {
      const wait = { "content-type": HTML, "retry-after": String(RETRY_SECONDS) };
      return new Response(PREPARING, { status: 503, headers: { ...headers, ...wait } });
    }
    const file = found.find(path);
    if (file) return servePublicFile(new Map([[path, file]]), path, request, headers);
    if (path.startsWith(DOCS_ASSETS)) return new Response("Not found.\n", { status: 404, headers });
    return textResponse(found.missing, {
      status: 404,
      headers: { ...headers, "content-type": HTML, "cache-control": "no-cache" },
      accepted: request.headers.get("accept-encoding"),
    });
  };
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
    <p>The documentation is being built. This page reloads by itself.</p>
  </body>
</html>
`;
