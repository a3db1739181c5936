import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { freePort } from "#test/support/kurz-server.ts";
import { processTree } from "./process-figures.ts";
import { findProgram } from "./programs.ts";

const READY_MS_MAX = 5000;
const NGINX_DESTINATION = "https://www.spring-123.example/garden/story-123456";

export interface Nginx {
  readonly url: string;
  pids(): number[];
  stop(): Promise<void>;
}

/** The leanest redirect that is still in use: one fixed destination and a buffered access log. */
export async function startNginx(): Promise<Nginx> {
  const directory = mkdtempSync(join(tmpdir(), "kurz-bench-nginx-"));
  mkdirSync(join(directory, "temp"));
  const port = freePort();
  writeFileSync(join(directory, "nginx.conf"), configuration(directory, port));
  const child = Bun.spawn(
    [findProgram("nginx") ?? "nginx", "-e", join(directory, "error.log"), "-c", join(directory, "nginx.conf")],
    { stdin: "ignore", stdout: "ignore", stderr: "inherit" },
  );
  const stop = async (): Promise<void> => {
    child.kill("SIGTERM");
    await child.exited;
    rmSync(directory, { recursive: true, force: true });
  };
  const url = `http://127.0.0.1:${port}`;
  const deadline = Date.now() + READY_MS_MAX;
  while ((await fetch(url, { redirect: "manual" }).catch(() => null))?.status !== 302) {
    if (Date.now() > deadline || child.exitCode !== null) {
      await stop();
      throw new Error("nginx did not start");
    }
    await Bun.sleep(20);
  }
  return { url, pids: () => processTree(child.pid), stop };
}

const TEMPORARY = ["client_body", "proxy", "fastcgi", "uwsgi", "scgi"];

const configuration = (directory: string, port: number): string => `
daemon off;
worker_processes 1;
pid ${directory}/nginx.pid;
events { worker_connections 1024; }
http {
  access_log ${directory}/access.log combined buffer=64k;
  ${TEMPORARY.map((name) => `${name}_temp_path ${directory}/temp/${name};`).join("\n  ")}
  # The default closes a connection after a thousand requests; Kurz has no such limit.
  keepalive_requests 1000000000;
  server {
    listen 127.0.0.1:${port};
    location / { return 302 ${NGINX_DESTINATION}; }
  }
}
`;
