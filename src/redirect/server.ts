import type { BunRequest, Server } from "bun";
import { TARGET_OCTETS_MAX } from "#contract/limits.ts";
import type { Answers } from "./answers.ts";
import type { PassThrough } from "./pass-through.ts";
import { newRequestId } from "./request-id.ts";
import { hasDotSegment, targetOf, targetTextOf } from "./request-target.ts";
import type { Visitor } from "./visitor.ts";

export interface SiteOptions {
  /** An origin without a path. */
  readonly baseUrl: string;
  readonly shortDomain: string;
  readonly rootRedirect: string | null;
}

export interface RedirectServerOptions {
  readonly listen: { readonly hostname: string; readonly port: number } | { readonly unix: string };
  readonly site: SiteOptions;
  readonly visitor: Visitor;
  readonly passThrough: PassThrough;
  readonly answers: Answers;
  readonly requestIdOf: (request: Request) => string;
  readonly clientAddressOf: (request: Request, server: Server<undefined>) => string;
  /** Whether a link could be looked up now. */
  readonly isReady: () => Promise<boolean>;
  readonly onError: (error: unknown) => void;
}

export interface RedirectServer {
  /** 0 on a unix socket. */
  readonly port: number;
  /** Ends what is under way and closes the rest. */
  stop(): Promise<void>;
  terminate(): Promise<void>;
}

/** Far above the API's own limit, so that it can say what is wrong: of what the runtime refuses we never hear. */
export const UPLOAD_BYTES_MAX = 2 ** 30;
const ROBOTS = "User-agent: *\nDisallow:\n";
const PASSED_PATH = /^\/(?:api|docs|console)(?:\/|$)/;

export function startRedirectServer(options: RedirectServerOptions): RedirectServer {
  const { answers, visitor, passThrough, site, requestIdOf, clientAddressOf, isReady } = options;
  const base = new URL(site.baseUrl);
  const hasOwnShortDomain = site.shortDomain !== base.host;
  const isShortDomain = (request: Request): boolean =>
    hasOwnShortDomain && hostOf(request, base.protocol) === site.shortDomain;

  const pass = (request: Request, server: Server<undefined>): Response | Promise<Response> => {
    const target = targetTextOf(request.url);
    const { path } = targetOf(request.url);
    if (!PASSED_PATH.test(path) || hasDotSegment(path) || isShortDomain(request)) return answers.notFound(request);
    return passThrough.pass({
      request,
      server,
      target,
      requestId: requestIdOf(request),
      clientAddress: clientAddressOf(request, server),
    });
  };

  const openRoot = (request: Request): Response => {
    if (!isRead(request)) return answers.methodNotAllowed(request);
    const location = isShortDomain(request) ? `${base.origin}/` : (site.rootRedirect ?? "/console");
    return answers.redirect(location, requestIdOf(request));
  };

  const readOnly =
    (respond: (requestId: string) => Response | Promise<Response>) =>
    (request: Request): Response | Promise<Response> => {
      return isRead(request) ? respond(requestIdOf(request)) : answers.methodNotAllowed(request);
    };

  const openOther = (request: Request, server: Server<undefined>): Response | Promise<Response> => {
    if (targetTextOf(request.url).length > TARGET_OCTETS_MAX) return answers.targetTooLong(request);
    const segment = /^\/([^/]+)\/?$/.exec(targetOf(request.url).path)?.[1];
    if (segment === undefined) return answers.notFound(request);
    if (!isRead(request)) return answers.methodNotAllowed(request);
    const name = decode(segment);
    return name === undefined ? answers.notFound(request) : visitor.open(name, request, server);
  };

  const server = Bun.serve({
    // Unless it is told, the runtime shares a port with whoever asks for it.
    ...("unix" in options.listen ? options.listen : { ...options.listen, reusePort: false }),
    development: false,
    maxRequestBodySize: UPLOAD_BYTES_MAX,
    routes: {
      // HEAD arrives here too; every other method falls through to `fetch`.
      "/:slug": { GET: (request: BunRequest<"/:slug">, self) => visitor.open(request.params.slug, request, self) },
      "/": openRoot,
      "/healthz": readOnly((requestId) => answers.text(200, "ok\n", requestId)),
      "/readyz": readOnly(async (requestId) =>
        (await isReady()) ? answers.text(200, "ok\n", requestId) : answers.text(503, "not ready\n", requestId),
      ),
      "/robots.txt": readOnly((requestId) => answers.text(200, ROBOTS, requestId)),
      "/api": pass,
      "/api/*": pass,
      "/docs": pass,
      "/docs/*": pass,
      "/console": pass,
      "/console/*": pass,
    },
    fetch: openOther,
    error(error) {
      options.onError(error);
      return answers.internalError(newRequestId());
    },
  });

  return {
    port: server.port ?? 0,
    stop: () => server.stop(),
    terminate: () => server.stop(true),
  };
}

const isRead = ({ method }: Request): boolean => method === "GET" || method === "HEAD";

/** Written as in the configuration: lower case, and the port only where it is not the default. */
function hostOf(request: Request, protocol: string): string {
  const host = request.headers.get("host")?.toLowerCase() ?? "";
  return host.replace(protocol === "https:" ? /:443$/ : /:80$/, "");
}

function decode(segment: string): string | undefined {
  try {
    return decodeURIComponent(segment);
  } catch {
    return undefined;
  }
}
