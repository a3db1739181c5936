import { chmodSync, rmSync } from "node:fs";
import { errorText } from "#kernel/error-text.ts";
import type { KeptFile } from "./kept-files.ts";
import { logEvent } from "./log.ts";

export interface UnixServer extends KeptFile {
  stop(): Promise<unknown>;
}

interface Options {
  readonly path: string;
  readonly bodyBytesMax: number;
  readonly fetch: (request: Request) => Promise<Response>;
}

// The other side has time limits of its own, and a long report must not be cut off. The types know this option for TCP
// only, but the runtime ends an idle request on a unix socket as well.
const noIdleLimit = { idleTimeout: 0 } as object;

/** Only the user that runs Kurz can reach the directory of the sockets, or a socket in it. */
export function serveUnix({ path, bodyBytesMax, fetch }: Options): UnixServer {
  const servers: Bun.Server<undefined>[] = [];
  const listen = (): void => {
    // A socket left by a killed process would make listening fail; the data lock proves that it is dead.
    rmSync(path, { force: true });
    const server = Bun.serve({
      unix: path,
      fetch,
      error(error) {
        logEvent("error", "a request failed", { error: errorText(error) });
        return new Response("Something went wrong on our side.\n", { status: 500 });
      },
      development: false,
      maxRequestBodySize: bodyBytesMax,
      ...noIdleLimit,
    });
    servers.push(server);
    chmodSync(path, 0o600);
  };
  listen();
  return { path, restore: listen, stop: () => Promise.all(servers.map((server) => server.stop())) };
}
