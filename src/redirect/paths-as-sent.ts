import type { Server } from "bun";
import { targetOf } from "./request-target.ts";

export type Handler = (request: Request, server: Server<undefined>) => Response | Promise<Response>;
export type Routes = Record<string, Handler>;

export interface RoutedRequest extends Request {
  readonly params: Readonly<Record<string, string>>;
}

/** More than any path of the service has. */
const SEGMENTS_MAX = 8;
const DOT_SEGMENT = /(?:^|[/\\])\.{1,2}(?:[/\\]|$)/;

/**
 * Routes for a path and all below it that refuse ambiguous ones. A path rule of a proxy saw the path as it was sent, and so
 * does the router of the runtime; `request.url` shows only what a URL parser made of it (`/console` of `/api/../console`).
 * So each segment is a parameter of a route, one route for each number of them.
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
  // What gets past those has an empty segment or too many. Where the parsed path has not, there was more to it.
  routes[`${prefix}/*`] = (request, server) => (isUnrouted(prefix, request) ? respond : refuse)(request, server);
  return routes;
}

/** The router has decoded them: an encoded dot or slash counts as one. A backslash is left alone where it was encoded. */
function isAmbiguous(request: Request): boolean {
  const segments = Object.values((request as RoutedRequest).params);
  const sent = segments.join("/").split("\\").length;
  const left = targetOf(request.url).path.split(/%5c/i).length;
  return sent !== left || segments.some((segment) => DOT_SEGMENT.test(segment));
}

function isUnrouted(prefix: string, { url }: Request): boolean {
  const { path } = targetOf(url);
  if (!path.startsWith(`${prefix}/`)) return false;
  const below = path.slice(prefix.length + 1).replace(/\/$/, "");
  const segments = below.split("/");
  return segments.length > SEGMENTS_MAX || segments.includes("");
}
