import { stopAfterThisProcess } from "./kept-process.ts";
import { type KurzServer, startKurz } from "./kurz-server.ts";

const servers = new Map<string, Promise<KurzServer>>();

/** One server with these settings for all files of this process that ask for it. It ends with the process. */
export async function sharedServer(env: Readonly<Record<string, string>>): Promise<KurzServer> {
  const key = JSON.stringify(env);
  // One that failed or has ended is the problem of one file.
  const known = await servers.get(key)?.catch(() => null);
  if (known && known.supervisor.exitCode === null && known.supervisor.signalCode === null) return known;
  const server = start(env);
  servers.set(key, server);
  return server;
}

async function start(env: Readonly<Record<string, string>>): Promise<KurzServer> {
  const server = await startKurz({ env });
  stopAfterThisProcess(server.supervisor, server.dataDir);
  return server;
}
