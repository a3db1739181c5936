import { endWithThisProcess } from "./kept-process.ts";
import { type KurzServer, startKurz } from "./kurz-server.ts";

const servers = new Map<string, Promise<KurzServer>>();

/** One server with these settings for all files of this process that ask for it. It ends with the process. */
export function sharedServer(env: Readonly<Record<string, string>>): Promise<KurzServer> {
  const key = JSON.stringify(env);
  const server = servers.get(key) ?? start(env);
  servers.set(key, server);
  return server;
}

async function start(env: Readonly<Record<string, string>>): Promise<KurzServer> {
  const server = await startKurz({ env });
  endWithThisProcess(server.supervisor, server.dataDir);
  return server;
}
