import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { freePort } from "./free-port.ts";
import { until } from "./until.ts";

export interface WebServer {
  readonly url: string;
  readonly pid: number;
  stop(): Promise<void>;
}

/** What the server is to do on its port; files that it needs go into the directory, which is removed with it. */
type Configuration = (port: number, directory: string) => string;

interface Program {
  readonly configurationOf: Configuration;
  readonly command: (configuration: string, directory: string) => readonly string[];
}

const TEMPORARY = ["client_body", "proxy", "fastcgi", "uwsgi", "scgi"];

/** nginx with one worker and the given `http` block. */
export const startNginx = (http: Configuration, program = "nginx"): Promise<WebServer> =>
  start({
    configurationOf: (port, directory) => `
daemon off;
worker_processes 1;
pid ${directory}/nginx.pid;
events { worker_connections 1024; }
http {
  ${TEMPORARY.map((name) => `${name}_temp_path ${directory}/${name};`).join("\n  ")}
${http(port, directory)}
}
`,
    command: (path, directory) => [program, "-e", join(directory, "error.log"), "-c", path],
  });

/** Caddy without its admin API and certificates, with the given site blocks. */
export const startCaddy = (sites: Configuration): Promise<WebServer> =>
  startCaddyfile(
    (port, directory) => `
{
	admin off
	auto_https off
	storage file_system ${directory}
}
${sites(port, directory)}
`,
  );

/** Caddy with a whole file of its own. */
export const startCaddyfile = (configurationOf: Configuration): Promise<WebServer> =>
  start({ configurationOf, command: (path) => ["caddy", "run", "--adapter", "caddyfile", "--config", path] });

async function start({ configurationOf, command }: Program): Promise<WebServer> {
  const directory = mkdtempSync(join(tmpdir(), "kurz-web-server-"));
  const port = freePort();
  const path = join(directory, "configuration");
  writeFileSync(path, configurationOf(port, directory));
  const child = Bun.spawn([...command(path, directory)], {
    env: { PATH: process.env.PATH ?? "", HOME: directory },
    stdin: "ignore",
    stdout: "ignore",
    stderr: "pipe",
  });
  const problems = child.stderr.text();
  const stop = async (): Promise<void> => {
    child.kill("SIGTERM");
    await child.exited;
    rmSync(directory, { recursive: true, force: true });
  };
  const url = `http://127.0.0.1:${port}`;
  await until(`${command(path, directory)[0]} answers`, async () => {
    if (child.exitCode !== null) throw new Error(`it has exited: ${await problems}`);
    return fetch(url, { redirect: "manual" }).then(
      () => true,
      () => false,
    );
  }).catch(async (error) => {
    await stop();
    throw error;
  });
  return { url, pid: child.pid, stop };
}
