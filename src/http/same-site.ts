import { ApiError } from "#kernel/api-error.ts";

const SAFE_METHODS: ReadonlySet<string> = new Set(["GET", "HEAD", "OPTIONS"]);

export const isSafe = ({ method }: Request): boolean => SAFE_METHODS.has(method);

/**
 * Prevents cross-site request forgery: browsers send where a request comes from, in `Sec-Fetch-Site` or `Origin`.
 * A client that sends neither isn't a supported browser.
 */
export function assertSameSite(request: Request, baseOrigin: string): void {
  if (isSafe(request)) return;
  const site = request.headers.get("sec-fetch-site");
  const isOurs = site === null ? request.headers.get("origin") === baseOrigin : site === "same-origin";
  if (!isOurs)
    throw new ApiError("cross_site", `Open the console at ${baseOrigin}; requests from other origins are rejected.`);
}
