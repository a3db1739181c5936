export interface Target {
  readonly path: string;
  /** Without the question mark. */
  readonly query: string;
}

/**
 * Path and query as sent. Doesn't use `new URL`, which would throw: if the Host header is missing or invalid, the
 * request's URL is just the target.
 */
export function targetOf(requestUrl: string): Target {
  const target = targetTextOf(requestUrl);
  const end = target.search(/[?#]/);
  if (end === -1) return { path: target, query: "" };
  return { path: target.slice(0, end), query: target[end] === "?" ? target.slice(end + 1) : "" };
}

export function targetTextOf(requestUrl: string): string {
  if (requestUrl.startsWith("/")) return requestUrl;
  const authority = requestUrl.indexOf("://");
  const path = authority === -1 ? -1 : requestUrl.indexOf("/", authority + 3);
  return path === -1 ? "" : requestUrl.slice(path);
}

const SEPARATOR = String.raw`(?:[/\\]|%2f|%5c)`;
const DOT_SEGMENT = new RegExp(`${SEPARATOR}(?:\\.|%2e){1,2}(?:${SEPARATOR}|$)`, "i");

/** Whether some parser would resolve the path to another one; most treat a backslash as a slash. */
export const isAmbiguousPath = (path: string): boolean => path.includes("\\") || DOT_SEGMENT.test(path);
