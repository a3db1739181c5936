import { lstatSync, rmSync } from "node:fs";
import type { ListenAddress } from "#config/value-kinds.ts";
import { EXPOSITION_TYPE, formatFigures } from "#metrics/exposition.ts";
import type { Figures } from "#metrics/figures.ts";
import { toListenError } from "#runtime/port-probe.ts";

type Read = () => Promise<Figures>;
/** Answers `GET /tls-check?domain=`: whether a proxy may get a certificate for the name. */
type TlsCheck = (request: Request) => Promise<Response>;

const TLS_CHECK = /^https?:\/\/[^/]*\/tls-check\?/;

export interface MetricsServer {
  readonly address: string;
  /** For a unix socket whose file was deleted. */
  listenAgain(): void;
  stop(): Promise<void>;
}

/** Answers `GET /metrics` and `GET /tls-check`; rejects with the reason where it cannot listen. */
export async function serveMetrics(
  listen: ListenAddress,
  read: Read,
  tlsCheck: TlsCheck = async () => new Response("unknown\n", { status: 404 }),
): Promise<MetricsServer> {
  const fetch = (request: Request) => (TLS_CHECK.test(request.url) ? tlsCheck(request) : answer(request, read));
  if ("unix" in listen) {
    const { unix } = listen;
    await removeDeadSocket(unix);
    const servers = [Bun.serve({ unix, development: false, fetch })];
    return {
      address: `unix:${unix}`,
      listenAgain() {
        rmSync(unix, { force: true });
        servers.push(Bun.serve({ unix, development: false, fetch }));
      },
      async stop() {
        await Promise.all(servers.map((server) => server.stop(true)));
      },
    };
  }
  const { hostname, port } = listen;
  try {
    // Outside of development Bun would share the port with another server, and each would answer half of the requests.
    const server = Bun.serve({ hostname, port, development: false, reusePort: false, fetch });
    return { address: `${server.url.origin}/metrics`, listenAgain() {}, stop: () => server.stop(true) };
  } catch (error) {
    throw toListenError(error, hostname, port);
  }
}

async function answer(request: Request, read: Read): Promise<Response> {
  if (!/^https?:\/\/[^/]*\/metrics(?:\?|$)/.test(request.url)) {
    return new Response("There is only /metrics and /tls-check?domain=NAME.\n", { status: 404 });
  }
  if (request.method !== "GET" && request.method !== "HEAD") {
    return new Response("Use GET.\n", { status: 405, headers: { allow: "GET, HEAD" } });
  }
  return new Response(formatFigures(await read()), { headers: { "content-type": EXPOSITION_TYPE } });
}

/** A killed server leaves its socket behind, which would make listening fail; one that is listened on stays. */
async function removeDeadSocket(path: string): Promise<void> {
  if (!lstatSync(path, { throwIfNoEntry: false })?.isSocket()) return;
  const connection = await Bun.connect({ unix: path, socket: { data() {} } }).catch(() => null);
  if (connection === null) rmSync(path, { force: true });
  else connection.end();
}
