import type { OperationRoute } from "./generated.ts";

/** The input of any operation; `Operations` has the exact types. */
export interface CallInput {
  readonly params?: Readonly<Record<string, string>> | undefined;
  readonly query?: object | undefined;
  readonly body?: unknown;
  readonly idempotencyKey?: string | undefined;
  readonly ifMatch?: number | string | undefined;
}

export interface BuiltRequest {
  readonly url: string;
  readonly method: OperationRoute["method"];
  readonly headers: Headers;
  readonly ifMatch: string | undefined;
  readonly body: string | undefined;
}

interface Sender {
  readonly baseUrl: string;
  readonly token: string;
  readonly userAgent: string | undefined;
}

function fillPath(path: string, params: Readonly<Record<string, string>>): string {
  return path.replace(/\{(\w+)\}/g, (_, name: string) => {
    const value = params[name];
    // URL parsers resolve dot segments even if percent-encoded, so the call would reach another route.
    if (value === undefined || value === "" || value === "." || value === "..") {
      throw new TypeError(`"${value}" is not a valid ${name}`);
    }
    return encodeURIComponent(value);
  });
}

function buildQuery(query: object): string {
  const search = new URLSearchParams();
  for (const [name, value] of Object.entries(query)) {
    for (const item of Array.isArray(value) ? value : [value]) {
      if (item !== undefined && item !== null) search.append(name, String(item));
    }
  }
  const text = search.toString();
  return text === "" ? "" : `?${text}`;
}

/** Builds the request once, so every retry is identical, including the `Idempotency-Key`. */
export function buildRequest(route: OperationRoute, input: CallInput, sender: Sender): BuiltRequest {
  const headers = new Headers({ Authorization: `Bearer ${sender.token}` });
  // Browsers forbid this header or send a preflight request for it, so it is only sent if set.
  if (sender.userAgent !== undefined) headers.set("User-Agent", sender.userAgent);
  const body = route.mediaType === null || input.body === undefined ? undefined : JSON.stringify(input.body);
  if (body !== undefined && route.mediaType !== null) headers.set("Content-Type", route.mediaType);
  if (route.idempotencyKey) headers.set("Idempotency-Key", input.idempotencyKey ?? crypto.randomUUID());
  const ifMatch = typeof input.ifMatch === "number" ? `"${input.ifMatch}"` : input.ifMatch;
  if (route.ifMatch && ifMatch !== undefined) headers.set("If-Match", ifMatch);
  return {
    url: sender.baseUrl + fillPath(route.path, input.params ?? {}) + buildQuery(input.query ?? {}),
    method: route.method,
    headers,
    ifMatch,
    body,
  };
}
