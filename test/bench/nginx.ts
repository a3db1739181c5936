import { startNginx, type WebServer } from "#test/support/web-servers.ts";
import { processTree } from "./process-figures.ts";
import { findProgram } from "./programs.ts";

const DESTINATION = "https://www.spring-123.example/garden/story-123456";

export interface MeasuredNginx extends WebServer {
  pids(): number[];
}

/** The leanest redirect that is still in use: one fixed destination and a buffered access log. */
export async function startRedirectingNginx(): Promise<MeasuredNginx> {
  const nginx = await startNginx(
    (port, directory) => `
  access_log ${directory}/access.log combined buffer=64k;
  # The default closes a connection after a thousand requests; Kurz has no such limit.
  keepalive_requests 1000000000;
  server {
    listen 127.0.0.1:${port};
    location / { return 302 ${DESTINATION}; }
  }`,
    findProgram("nginx") ?? "nginx",
  );
  return { ...nginx, pids: () => processTree(nginx.pid) };
}
