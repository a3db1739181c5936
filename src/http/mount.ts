import { type Context, Hono } from "hono";
import { BinaryAnswer, type Endpoint } from "#contract/endpoint.ts";
import { TARGET_BYTES_MAX } from "#contract/limits.ts";
import { RecordsUnavailable } from "#engines/records/records.ts";
import { ApiError } from "#kernel/api-error.ts";
import type { Admit } from "./admission.ts";
import { answer } from "./answer.ts";
import { answerBinary } from "./answer-binary.ts";
import { preflight } from "./cors.ts";
import { errorResponse } from "./error-envelope.ts";
import { type AnswerPolicy, type Exchange, openExchange } from "./exchange.ts";
import { type PublicFiles, servePublicFile } from "./public-files.ts";
import { drainBody } from "./read-body.ts";
import { readInput } from "./read-input.ts";
import type { Route } from "./route.ts";

export interface ApiOptions<C> extends AnswerPolicy {
  readonly routes: readonly Route<C>[];
  /** Stands before the path of every endpoint. */
  readonly prefix?: string;
  readonly admit: Admit<C>;
  /** Documents that anyone may read. */
  readonly files?: PublicFiles;
  readonly onDone: (exchange: Exchange, request: Request, status: number) => void;
  readonly onBug: (exchange: Exchange, error: unknown) => void;
}

const RETRY_AFTER_SECONDS = "1";

interface Env {
  Bindings: { exchange: Exchange };
}

/** Endpoints as a server: every request is answered, whatever happens, in the contract's envelope. */
export function mountApi<C>(options: ApiOptions<C>): (request: Request) => Promise<Response> {
  const app = new Hono<Env>();
  const allowedByPath = new Map<string, Set<string>>();
  const allow = (path: string, methods: readonly string[]) =>
    allowedByPath.set(path, new Set([...(allowedByPath.get(path) ?? []), ...methods]));

  const { files = new Map(), prefix = "" } = options;
  for (const path of files.keys()) {
    allow(path, ["GET", "HEAD"]);
    app.get(path, ({ req, env }) => servePublicFile(files, path, req.raw, env.exchange.headers));
  }
  for (const route of options.routes) {
    const path = (prefix + route.endpoint.path).replace(/\{(\w+)\}/g, ":$1");
    allow(path, methodsOf(route.endpoint));
    app.on(route.endpoint.method, path, (context) => serve(options, route, context));
  }
  for (const [path, allowed] of allowedByPath) {
    app.all(path, () => {
      throw methodNotAllowed([...allowed]);
    });
  }
  app.notFound(() => {
    throw new ApiError("not_found", "There is no such route.");
  });
  app.onError((error, { env: { exchange } }) => {
    const known = toApiError(error);
    if (known.code === "internal_error") options.onBug(exchange, error);
    return errorResponse(known, exchange.requestId, exchange.headers);
  });

  return async (request) => {
    const exchange = openExchange(request, options);
    const response =
      preflight(options.cors, request, exchange.headers) ??
      refuseEarly(options, request, exchange) ??
      (await app.fetch(asGet(request), { exchange }));
    if (response.status >= 400) await drainBody(request);
    for (const cookie of exchange.cookies) response.headers.append("set-cookie", cookie);
    options.onDone(exchange, request, response.status);
    return response;
  };
}

async function serve<C>(
  { admit }: ApiOptions<C>,
  route: Route<C>,
  { req, env: { exchange } }: Context<Env>,
): Promise<Response> {
  exchange.route = route.endpoint.id;
  const caller = await admit(route.endpoint, req.raw, exchange);
  const question = req.raw.url.indexOf("?");
  const rawQuery = question < 0 ? "" : (req.raw.url.slice(question + 1).split("#", 1)[0] ?? "");
  const input = await readInput(route, req.raw, req.param(), rawQuery);
  const result = await route.handle(caller, input as never);
  if (result instanceof BinaryAnswer) return answerBinary(result, req.raw, exchange.headers);
  return answer(route.endpoint, result, { request: req.raw, rawQuery, headers: exchange.headers });
}

/** Steps 1 and 2 of the processing order, before a route is looked for. */
function refuseEarly({ https }: AnswerPolicy, request: Request, exchange: Exchange): Response | null {
  const refuse = (error: ApiError) => errorResponse(error, exchange.requestId, exchange.headers);
  const target = request.url.slice(request.url.indexOf("/", "http://".length));
  if (target.length > TARGET_BYTES_MAX) {
    return refuse(new ApiError("uri_too_long", `The request target may have at most ${TARGET_BYTES_MAX} bytes.`));
  }
  if (!isDecodable(target)) return refuse(new ApiError("bad_request", "The address has a bad percent-encoding."));
  // Redirecting to https would hide from the client that its token has travelled in clear.
  if (https && request.headers.get("x-forwarded-proto")?.toLowerCase() === "http") {
    return refuse(
      new ApiError("bad_request", "HTTPS required. The token was sent in clear: revoke it, and use https from now on."),
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

/** The server itself leaves out the body of an answer to HEAD, and then knows its length. */
const asGet = (request: Request): Request =>
  request.method === "HEAD" ? new Request(request, { method: "GET" }) : request;

const methodsOf = ({ method }: Endpoint): string[] => (method === "GET" ? ["GET", "HEAD"] : [method]);

const methodNotAllowed = (allowed: string[]): ApiError =>
  new ApiError("method_not_allowed", `Use ${allowed.join(", ")}.`, { allowed }).withHeader("allow", allowed.join(", "));

function toApiError(error: unknown): ApiError {
  if (error instanceof ApiError) return error;
  if (error instanceof RecordsUnavailable) {
    const busy = new ApiError("unavailable", "The service cannot store or read data right now. Try again shortly.");
    return busy.withHeader("retry-after", RETRY_AFTER_SECONDS);
  }
  return new ApiError("internal_error", "Something went wrong on our side.");
}
