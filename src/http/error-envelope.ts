import type { ApiError } from "#kernel/api-error.ts";

export const JSON_TYPE = "application/json; charset=utf-8";

export function errorResponse(error: ApiError, requestId: string, headers: Record<string, string>): Response {
  const body = {
    error: { code: error.code, message: error.message, request_id: requestId, ...detailsOf(error) },
  };
  return new Response(JSON.stringify(body), {
    status: error.status,
    headers: { "content-type": JSON_TYPE, ...headers, ...error.headers },
  });
}

function detailsOf(error: ApiError): { details?: unknown } {
  const details: unknown = error.details;
  if (details === undefined || Object.keys(details as object).length === 0) return {};
  return { details };
}
