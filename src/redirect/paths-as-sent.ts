import type { Server } from "bun";
import { targetOf } from "./request-target.ts";

export type Handler = (request: Request, server: Server<undefined>) => Response | Promise<Response>;
export type Routes = Record<string, Handler>;

export interface RoutedRequest extends Request {
  readonly params: Readonly<Record<string, string>>;
}

/** More than any path of this service has. */
const SEGMENTS_MAX = 8;
const DOT_SEGMENT = /(?:^|[/\\])\.{1,2}(?:[/\\]|$)/;

/**
 * Routes for a path and everything below it that refuse ambiguous paths. A proxy's path rules see the path as it was
 * sent, and so does Bun's router, but `request.url` is already normalized (`/api/../console` becomes `/console`). So each
 * segment is a route parameter, with one route per number of segments. `prefix` may be a parameter, too.
 */
export function routesBelow(prefix: string, respond: Handler, refuse: Handler): Routes {
  const routes: Routes = { [prefix]: respond };
  let path = prefix;
  for (let segments = 1; segments <= SEGMENTS_MAX; segments += 1) {
    path += `/:s${segments}`;
    const check: Handler = (request, server) => (isAmbiguous(request) ? refuse : respond)(request, server);
    routes[path] = check;
    routes[`${path}/`] = check;
  }
  // Other paths have an empty segment or too many. If the parsed path doesn't, it isn't the path that was sent.
  routes[`${prefix}/*`] = (request, server) => (isUnrouted(prefix, request) ? respond : refuse)(request, server);
  return routes;
}

/** The router has decoded the segments, so an encoded dot or slash counts, too. An encoded backslash is fine. */
function isAmbiguous(request: Request): boolean {
  const segments = Object.values((request as RoutedRequest).params);
  const sent = segments.join("/").split("\\").length;
  const left = targetOf(request.url).path.split(/%5c/i).length;
  return sent !== left || segments.some((segment) => DOT_SEGMENT.test(segment));
}

function isUnrouted(prefix: string, { url }: Request): boolean {
  const { path } = targetOf(url);
  const isBelow = prefix.startsWith("/:") ? /^\/[^/]/.test(path) : path.startsWith(`${prefix}/`);
  if (!isBelow) return false;
  const segments = path
    .slice(path.indexOf("/", 1) + 1)
    .replace(/\/$/, "")
    .split("/");
  return segments.length > SEGMENTS_MAX || segments.includes("");
}
