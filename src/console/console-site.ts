import { openExchange } from "#http/exchange.ts";
import { servePublicFile } from "#http/public-files.ts";
import { CONSOLE_CSP, type ConsoleFiles, readConsoleFiles } from "./console-files.ts";

interface SiteOptions {
  readonly directory: string;
  readonly https: boolean;
  /** Makes the bundle where it is missing. */
  readonly build: () => Promise<void>;
}

/** The console's page and its assets. They are read when first asked for, and bundled first if nobody did it yet. */
export function consoleSite({ directory, https, build }: SiteOptions): (request: Request) => Promise<Response> {
  let files: Promise<ConsoleFiles> | null = null;
  const read = async (): Promise<ConsoleFiles> => {
    try {
      return readConsoleFiles(directory);
    } catch {
      await build();
      return readConsoleFiles(directory);
    }
  };
  return async (request) => {
    const headers = {
      ...openExchange(request, { cors: { allowedOrigins: [] }, https }).headers,
      "content-security-policy": CONSOLE_CSP,
      "cross-origin-opener-policy": "same-origin",
    };
    if (request.method !== "GET" && request.method !== "HEAD") {
      return new Response("Method not allowed.\n", { status: 405, headers: { ...headers, allow: "GET, HEAD" } });
    }
    files ??= read().catch((error: unknown) => {
      files = null;
      throw error;
    });
    const { assets, page } = await files;
    const { pathname } = new URL(request.url);
    if (pathname.startsWith("/console/assets/")) return servePublicFile(assets, pathname, request, headers);
    return servePublicFile(new Map([[pathname, page]]), pathname, request, headers);
  };
}
