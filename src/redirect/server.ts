import type { Server } from "bun";
import { MCP_PATH, SHARE_PATH, TARGET_BYTES_MAX } from "#contract/limits.ts";
import type { HostRow } from "#engines/records/redirect-reader.ts";
import { hostAndPortOf } from "#shared/host-name.ts";
import type { Answers } from "./answers.ts";
import type { Hosts } from "./hosts.ts";
import { IDLE_SECONDS, KEEP_ALIVE } from "./keep-alive.ts";
import type { ShortLinks } from "./no-short-links.ts";
import type { Origins } from "./origins.ts";
import type { PassThrough } from "./pass-through.ts";
import { type Handler, type RoutedRequest, routesBelow } from "./paths-as-sent.ts";
import { newRequestId } from "./request-id.ts";
import { isAmbiguousPath, targetOf, targetTextOf } from "./request-target.ts";

export interface SiteOptions {
  /** An origin without a path. */
  readonly baseUrl: string;
  readonly shortDomain: string;
  readonly rootRedirect: string | null;
}

interface TcpListener {
  readonly hostname: string;
  readonly port: number;
  /** Whether other processes listen on the same port. */
  readonly reusePort: boolean;
}

export interface RedirectServerOptions {
  readonly listen: TcpListener | { readonly unix: string };
  readonly site: SiteOptions;
  readonly shortLinks: Pick<ShortLinks, "open" | "openBelow">;
  /** On the domains of accounts there are short links and nothing else. */
  readonly hosts: Pick<Hosts, "find" | "isOwn" | "refresh">;
  readonly passThrough: PassThrough;
  readonly answers: Answers;
  readonly requestIdOf: (request: Request) => string;
  readonly origins: Origins;
  readonly clientAddressOf: (request: Request) => string;
  /** Whether links can be looked up now. */
  readonly isReady: () => Promise<boolean>;
  readonly onError: (error: unknown) => void;
}

export interface RedirectServer {
  /** 0 on a unix socket. */
  readonly port: number;
  /** Completes requests in progress and closes idle connections. */
  stop(): Promise<void>;
  terminate(): Promise<void>;
}

/** Far above the API's own limit, so the API can explain the error: Bun refuses larger bodies without calling us. */
export const UPLOAD_BYTES_MAX = 2 ** 30;
// Bun counts in steps of four seconds and may close up to one step early. The first request head always has ten seconds.
const SERVER_IDLE_SECONDS = IDLE_SECONDS + 5;
const CLOSE_OPTION = /(?:^|,)\s*close\s*(?:,|$)/i;
const BELOW_SLUG = /^\/([^/]+)\/?(.*)$/;
const ROBOTS = "User-agent: *\nDisallow:\n";
const API_PATH = /^\/(?:api\/|(?:api|mcp)$)/;
/** RFC 9110 §7.2, without the comma: Bun joins two Host headers with one. */
const HOST = /^[\w.~%!$&'()*+;=:[\]-]*$/;

export function startRedirectServer(options: RedirectServerOptions): RedirectServer {
  const { answers, shortLinks, hosts, passThrough, site, requestIdOf, origins, clientAddressOf, isReady } = options;
  const base = new URL(site.baseUrl);
  const hasOwnShortDomain = site.shortDomain !== base.host;
  const isShortDomain = (request: Request): boolean =>
    hasOwnShortDomain && hostAndPortOf(request.headers.get("host") ?? "", base.protocol) === site.shortDomain;

  const refusePath = (request: Request): Response =>
    isApiCall(request)
      ? answers.apiError(404, {
          code: "not_found",
          message: "There is no such route.",
          request_id: requestIdOf(request),
        })
      : answers.notFound(request);

  const refuseHost = (request: Request): Response => {
    const message = "There must be one valid Host header.";
    const requestId = requestIdOf(request);
    return isApiCall(request)
      ? answers.apiError(400, { code: "bad_request", message, request_id: requestId })
      : answers.text(400, `${message}\n`, requestId);
  };

  const admit =
    (respond: Handler): Handler =>
    (request, server) => {
      const origin = origins.note(request, server);
      if (origin === undefined) return answers.misdirected(request);
      // RFC 9112 §3.2: a proxy that read another Host has applied its rules to a different request.
      const isWellFormed = HOST.test(request.headers.get("host") ?? "");
      const response = (isWellFormed ? respond : refuseHost)(request, server);
      const finish = (answer: Response): Response => keepOrClose(answer, origin.isLast, request, server);
      return response instanceof Promise ? response.then(finish) : finish(response);
    };

  /** Waits until it is certain whose host it is. */
  const byHost = (
    request: Request,
    respond: (host: HostRow | null) => Response | Promise<Response>,
  ): Response | Promise<Response> => {
    const text = request.headers.get("host") ?? "";
    if (hosts.isOwn(text)) return respond(null);
    return hosts.refresh().then(() => {
      const host = hosts.find(text);
      return host === undefined ? answers.unavailable(request) : respond(host);
    });
  };

  /** Under a name that no link has, so it is answered as every path that leads nowhere. */
  const refuseBelow: Handler = (request) =>
    isRead(request) ? shortLinks.openBelow("", request) : answers.notFound(request);

  const onOwnHost =
    (respond: Handler): Handler =>
    (request, server) =>
      byHost(request, (host) => (host === null ? respond : refuseBelow)(request, server));

  const open: Handler = (request) => shortLinks.open((request as RoutedRequest).params.slug ?? "", request);

  const pass = onOwnHost((request, server) => {
    // Without a Host header, as in HTTP/1.0, this is the path as sent.
    if (isAmbiguousPath(targetOf(request.url).path)) return refusePath(request);
    if (isShortDomain(request)) return answers.notFound(request);
    return passThrough.pass({
      request,
      server,
      target: targetTextOf(request.url),
      requestId: requestIdOf(request),
      clientAddress: clientAddressOf(request),
    });
  });

  /** Stored with the domain, so control has it. */
  const appDocument =
    (file: string): Handler =>
    (request, server) => {
      if (!isRead(request)) return answers.methodNotAllowed(request);
      return byHost(request, (host) =>
        host === null
          ? answers.notFound(request)
          : passThrough.pass({
              request,
              server,
              target: `/docs/.well-known/${host.name}/${file}`,
              requestId: requestIdOf(request),
              clientAddress: clientAddressOf(request),
            }),
      );
    };

  /** Browsers ask for one on their own account: nobody would see a page, nor where unknown links lead. */
  const icon: Handler = (request) =>
    byHost(request, (host) => {
      if (host === null) return shortLinks.open("favicon.ico", request);
      return isRead(request) ? answers.noIcon(requestIdOf(request)) : answers.methodNotAllowed(request);
    });

  const rootOf = (host: HostRow | null, request: Request): string => {
    if (host !== null) return host.root_redirect_url ?? site.rootRedirect ?? `${base.origin}/`;
    return isShortDomain(request) ? `${base.origin}/` : (site.rootRedirect ?? "/console");
  };

  const openRoot: Handler = (request) => {
    if (!isRead(request)) return answers.methodNotAllowed(request);
    return byHost(request, (host) => answers.redirect(rootOf(host, request), requestIdOf(request)));
  };

  const readOnly =
    (respond: (requestId: string) => Response | Promise<Response>) =>
    (request: Request): Response | Promise<Response> => {
      return isRead(request) ? respond(requestIdOf(request)) : answers.methodNotAllowed(request);
    };

  /** Also for balancers, which may ask before hosts are known. */
  const health = (respond: (requestId: string) => Response | Promise<Response>): Handler => {
    const answer = readOnly(respond);
    return (request, server) =>
      hosts.find(request.headers.get("host") ?? "") ? refuseBelow(request, server) : answer(request);
  };

  /** A shared report, or below a link that is older than those. On the domains of accounts there are none. */
  const openBelowShare: Handler = (request, server) =>
    byHost(request, (host) => (host === null ? pass(request, server) : openLink(request)));

  /** A link with this slug may be older than the tools: browsers still open it, and send its password. */
  const openMcp: Handler = (request, server) =>
    byHost(request, (host) =>
      host === null && !isShortDomain(request) && isMessage(request)
        ? pass(request, server)
        : shortLinks.open(MCP_PATH.slice(1), request),
    );

  const openOther: Handler = (request, server) =>
    SHARE_PATH.test(targetOf(request.url).path) ? openBelowShare(request, server) : openLink(request);

  /** Short links get here with methods other than GET and HEAD, with an invalid path, or with more than their slug. */
  const openLink = (request: Request): Response | Promise<Response> => {
    if (targetTextOf(request.url).length > TARGET_BYTES_MAX) return answers.targetTooLong(request);
    const [, slug = "", below = ""] = BELOW_SLUG.exec(targetOf(request.url).path) ?? [];
    const isOpening = isRead(request) || request.method === "POST";
    if (isOpening && below !== "") return shortLinks.openBelow(slug, request);
    // Refused there, since it depends on the link which methods it has.
    return slug !== "" && below === "" && !isRead(request) ? shortLinks.open(slug, request) : answers.notFound(request);
  };

  const routes: Record<string, Handler> = {
    ...routesBelow("/:slug", openOther, refuseBelow),
    "/": openRoot,
    "/healthz": health((requestId) => answers.text(200, "ok\n", requestId)),
    "/readyz": health(async (requestId) =>
      (await isReady()) ? answers.text(200, "ok\n", requestId) : answers.text(503, "not ready\n", requestId),
    ),
    "/robots.txt": readOnly((requestId) => answers.text(200, ROBOTS, requestId)),
    "/favicon.ico": icon,
    "/.well-known/apple-app-site-association": appDocument("apple-app-site-association"),
    "/.well-known/assetlinks.json": appDocument("assetlinks.json"),
    [MCP_PATH]: openMcp,
    ...routesBelow("/api", pass, onOwnHost(refusePath)),
    ...routesBelow("/docs", pass, onOwnHost(refusePath)),
    ...routesBelow("/console", pass, onOwnHost(refusePath)),
  };
  // HEAD arrives here too; every other method falls through to `fetch`.
  const visit = { GET: admit(open), POST: admit(open) };

  const server = Bun.serve({
    ...("unix" in options.listen ? options.listen : { ...options.listen, idleTimeout: SERVER_IDLE_SECONDS }),
    development: false,
    maxRequestBodySize: UPLOAD_BYTES_MAX,
    routes: {
      ...Object.fromEntries(Object.entries(routes).map(([path, respond]) => [path, admit(respond)])),
      "/:slug": visit,
      "/:slug/": visit,
    },
    fetch: admit(openOther),
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

/** Sets the connection headers of an answer. */
function keepOrClose(response: Response, isLast: boolean, request: Request, server: Server<undefined>): Response {
  const { headers } = response;
  if (headers.get("connection") === "close") return response;
  if (isLast || CLOSE_OPTION.test(request.headers.get("connection") ?? "")) headers.set("connection", "close");
  else {
    for (const [name, value] of Object.entries(KEEP_ALIVE)) headers.set(name, value);
    // A timeout set while the answer was created would stay.
    server.timeout(request, SERVER_IDLE_SECONDS);
  }
  return response;
}

const isApiCall = ({ url }: Request): boolean => API_PATH.test(targetOf(url).path);
const isRead = ({ method }: Request): boolean => method === "GET" || method === "HEAD";

/** Whether it is for the tools: programs send JSON or ask for events, as no browser does that opens a link. */
const isMessage = (request: Request): boolean =>
  isRead(request)
    ? (request.headers.get("accept")?.includes("text/event-stream") ?? false)
    : !request.headers.get("content-type")?.startsWith("application/x-www-form-urlencoded");
