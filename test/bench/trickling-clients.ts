import { join } from "node:path";

const SCRIPT = join(import.meta.dir, "trickle-client.ts");

export interface TricklingClients {
  stop(): Promise<void>;
}

/** Resolves when all of them are connected. */
export async function startTricklingClients(port: number, clients: number): Promise<TricklingClients> {
  const child = Bun.spawn([process.execPath, SCRIPT, String(port), String(clients)], {
    stdout: "pipe",
    stderr: "inherit",
  });
  await child.stdout.getReader().read();
  return {
    async stop() {
      child.kill();
      await child.exited;
    },
  };
}
