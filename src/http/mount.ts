import { type Context, Hono } from "hono";
import { BinaryResult, type Endpoint } from "#contract/endpoint.ts";
import { TARGET_BYTES_MAX } from "#contract/limits.ts";
import { RecordsUnavailable } from "#engines/records/records.ts";
import { ApiError } from "#kernel/api-error.ts";
import type { Authorize } from "./authorize.ts";
import { binaryResponse } from "./binary-response.ts";
import { preflight } from "./cors.ts";
import { errorResponse } from "./error-envelope.ts";
import { type PublicFiles, servePublicFile } from "./public-files.ts";
import { drainBody } from "./read-body.ts";
import { readInput } from "./read-input.ts";
import { newRequestContext, type RequestContext, type ResponsePolicy } from "./request-context.ts";
import type { Route } from "./route.ts";
import { toResponse } from "./to-response.ts";

export interface ApiOptions<C> extends ResponsePolicy {
  readonly routes: readonly Route<C>[];
  /** Prepended to every endpoint's path. */
  readonly prefix?: string;
  readonly authorize: Authorize<C>;
  readonly files?: PublicFiles;
  readonly onDone: (context: RequestContext, request: Request, status: number) => void;
  readonly onBug: (context: RequestContext, error: unknown) => void;
}

const RETRY_AFTER_SECONDS = "1";

interface Env {
  Bindings: { context: RequestContext };
}

/** Serves the endpoints: every request gets a response, and every error has the contract's envelope. */
export function mountApi<C>(options: ApiOptions<C>): (request: Request) => Promise<Response> {
  const app = new Hono<Env>();
  const refuseOthers = (path: string, allowed: readonly string[]) =>
    app.all(path, () => {
      throw methodNotAllowed([...new Set(allowed)]);
    });

  const { files = new Map(), prefix = "" } = options;
  for (const path of files.keys()) {
    app.get(path, ({ req, env }) => servePublicFile(files, path, req.raw, env.context.headers));
    refuseOthers(path, ["GET", "HEAD"]);
  }
  const byPath = Map.groupBy(options.routes, ({ endpoint }) => (prefix + endpoint.path).replace(/\{(\w+)\}/g, ":$1"));
  // Fixed parts first, with all methods: `/links/count` isn't the link with the id "count".
  const paths = [...byPath].toSorted(([a], [b]) => (fixedFirst(a) < fixedFirst(b) ? -1 : 1));
  for (const [path, routes] of paths) {
    for (const route of routes) app.on(route.endpoint.method, path, (call) => serve(options, route, call));
    refuseOthers(
      path,
      routes.flatMap(({ endpoint }) => methodsOf(endpoint)),
    );
  }
  app.notFound(() => {
    throw new ApiError("not_found", "There is no such route.");
  });
  app.onError((error, { env: { context } }) => {
    const known = toApiError(error);
    if (known.code === "internal_error") options.onBug(context, error);
    return errorResponse(known, context.requestId, context.headers);
  });

  return async (request) => {
    const context = newRequestContext(request, options);
    const response =
      preflight(options.cors, request, context.headers) ??
      rejectEarly(options, request, context) ??
      (await app.fetch(asGet(request), { context }));
    if (response.status >= 400) await drainBody(request);
    for (const cookie of context.cookies) response.headers.append("set-cookie", cookie);
    options.onDone(context, request, response.status);
    return response;
  };
}

async function serve<C>(
  { authorize }: ApiOptions<C>,
  route: Route<C>,
  { req, env: { context } }: Context<Env>,
): Promise<Response> {
  context.route = route.endpoint.id;
  const caller = await authorize(route.endpoint, req.raw, context);
  const question = req.raw.url.indexOf("?");
  const rawQuery = question < 0 ? "" : (req.raw.url.slice(question + 1).split("#", 1)[0] ?? "");
  const params = req.param();
  const input = await readInput(route, req.raw, params, rawQuery);
  const cost = route.extraCost?.((input as { body: never }).body) ?? 0;
  if (cost > 0) await context.charge?.(cost);
  const result = await route.handle(caller, input as never);
  if (result instanceof Response) return withHeaders(result, context.headers);
  if (result instanceof BinaryResult) return binaryResponse(result, req.raw, context.headers);
  return toResponse(route.endpoint, result, {
    request: req.raw,
    rawQuery,
    params,
    isHead: context.isHead,
    headers: context.headers,
  });
}

function withHeaders(response: Response, headers: Readonly<Record<string, string>>): Response {
  for (const [name, value] of Object.entries(headers)) response.headers.set(name, value);
  return response;
}

/** Steps 1 and 2 of the processing order, before routing. */
function rejectEarly({ https }: ResponsePolicy, request: Request, context: RequestContext): Response | null {
  const reject = (error: ApiError) => errorResponse(error, context.requestId, context.headers);
  const target = request.url.slice(request.url.indexOf("/", "http://".length));
  if (target.length > TARGET_BYTES_MAX) {
    return reject(new ApiError("uri_too_long", `The request URL is longer than ${TARGET_BYTES_MAX} bytes.`));
  }
  if (!isDecodable(target)) return reject(new ApiError("bad_request", "The URL has invalid percent-encoding."));
  // A redirect to https would hide from the client that it sent its token unencrypted.
  if (https && request.headers.get("x-forwarded-proto")?.toLowerCase() === "http") {
    return reject(
      new ApiError(
        "bad_request",
        "HTTPS required. The token was sent unencrypted: revoke it, and use https from now on.",
      ),
    );
  }
  return null;
}

function isDecodable(target: string): boolean {
  try {
    decodeURIComponent(target);
    return true;
  } catch {
    return false;
  }
}

/** As text that sorts a parameter after whatever else may be in its place. */
const fixedFirst = (path: string): string => path.replace(/:\w+/g, "~");

/** The server omits the body for HEAD itself, and so knows its Content-Length. */
const asGet = (request: Request): Request =>
  request.method === "HEAD" ? new Request(request, { method: "GET" }) : request;

const methodsOf = ({ method }: Endpoint): string[] => (method === "GET" ? ["GET", "HEAD"] : [method]);

const methodNotAllowed = (allowed: string[]): ApiError =>
  new ApiError("method_not_allowed", `Use ${allowed.join(", ")}.`, { allowed }).withHeader("allow", allowed.join(", "));

/** What a client learns of an error. Anything unexpected is a bug, whose text isn't for clients. */
export function toApiError(error: unknown): ApiError {
  if (error instanceof ApiError) return error;
  if (error instanceof RecordsUnavailable) {
    const busy = new ApiError("unavailable", "The service can't read or write data right now. Try again shortly.");
    return busy.withHeader("retry-after", RETRY_AFTER_SECONDS);
  }
  return new ApiError("internal_error", "Something went wrong on our side.");
}
