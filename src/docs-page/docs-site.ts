import type { Config } from "#config/settings.ts";
import { openApiDocument } from "#contract/openapi.ts";
import { type PublicFiles, servePublicFile } from "#http/public-files.ts";
import { newRequestContext } from "#http/request-context.ts";
import { CLIENTS_DIST, CLIENTS_PATH, clientFiles } from "./client-files.ts";
import { DOCS_CSP, docsFiles } from "./docs-page.ts";

const NOT_BUILT = "The clients aren't built on this instance. Its operator can run: npm run build\n";

/** The OpenAPI document, with this deployment's URL; made on the first request, since it would delay every start. */
export function apiDocuments({ baseUrl }: Config): PublicFiles {
  const document = () => openApiDocument({ baseUrl });
  const shared = { cacheControl: "public, max-age=300", headers: { "access-control-allow-origin": "*" } };
  return new Map([
    [
      "/api/v1/openapi.json",
      {
        ...shared,
        body: () => JSON.stringify(document(), null, 2),
        type: "application/json; charset=utf-8",
        downloadName: "openapi.json",
      },
    ],
    [
      "/api/v1/openapi.yaml",
      {
        ...shared,
        body: () => Bun.YAML.stringify(document(), null, 2),
        type: "application/yaml; charset=utf-8",
        downloadName: "openapi.yaml",
      },
    ],
  ]);
}

/** The API reference at `/docs`, and the clients; loaded on the first visit, since most requests don't need them. */
export function docsSite({ baseUrl }: Config): (request: Request) => Promise<Response> {
  const clients = clientFiles(CLIENTS_DIST);
  const policy = { cors: { allowedOrigins: [] }, https: baseUrl.startsWith("https:") };
  return async (request) => {
    const { headers } = newRequestContext(request, policy);
    if (request.method !== "GET" && request.method !== "HEAD") {
      return new Response("Method not allowed.\n", { status: 405, headers: { ...headers, allow: "GET, HEAD" } });
    }
    const path = new URL(request.url).pathname.replace(/(?<=.)\/$/, "");
    if (path.startsWith(CLIENTS_PATH)) {
      const built = clients();
      return built ? servePublicFile(built, path, request, headers) : new Response(NOT_BUILT, { status: 404, headers });
    }
    return servePublicFile(await docsFiles(), path, request, {
      ...headers,
      "content-security-policy": DOCS_CSP,
      "cross-origin-opener-policy": "same-origin",
    });
  };
}
