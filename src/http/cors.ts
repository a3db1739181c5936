import { releasedEndpoints } from "#contract/index.ts";

export interface CorsPolicy {
  readonly allowedOrigins: readonly string[];
}

const EXPOSED = [
  "ETag",
  "Link",
  "Location",
  "Content-Disposition",
  "Retry-After",
  "RateLimit",
  "RateLimit-Policy",
  "X-RateLimit-Limit",
  "X-RateLimit-Remaining",
  "X-RateLimit-Reset",
  "X-Request-Id",
  "Idempotent-Replayed",
].join(", ");
const ALLOWED_HEADERS = [
  ...["Authorization", "Content-Type", "Idempotency-Key", "If-Match", "If-None-Match"],
  ...["Mcp-Protocol-Version", "Mcp-Session-Id", "Mcp-Method", "Mcp-Name"],
].join(", ");
const ALLOWED_METHODS = [...new Set(releasedEndpoints.map(({ method }) => method))].join(", ");
const PREFLIGHT_SECONDS = "600";

/** Only for origins the operator configured; never with credentials, since tokens are sent in a header. */
export function corsHeaders({ allowedOrigins }: CorsPolicy, request: Request): Record<string, string> {
  if (allowedOrigins.length === 0) return {};
  const origin = request.headers.get("origin");
  if (origin === null || !allowedOrigins.includes(origin)) return { vary: "Origin" };
  return { vary: "Origin", "access-control-allow-origin": origin, "access-control-expose-headers": EXPOSED };
}

/** Answers a preflight request; without CORS, OPTIONS is just another method. */
export function preflight(policy: CorsPolicy, request: Request, headers: Record<string, string>): Response | null {
  if (policy.allowedOrigins.length === 0 || request.method !== "OPTIONS") return null;
  if (!headers["access-control-allow-origin"] || !request.headers.has("access-control-request-method")) return null;
  return new Response(null, {
    status: 204,
    headers: {
      ...headers,
      "access-control-allow-methods": ALLOWED_METHODS,
      "access-control-allow-headers": ALLOWED_HEADERS,
      "access-control-max-age": PREFLIGHT_SECONDS,
    },
  });
}
