import type { Config } from "#config/settings.ts";
import { openApiDocument } from "#contract/openapi.ts";
import type { PublicFiles } from "#http/public-files.ts";

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
