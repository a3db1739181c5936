import { join } from "node:path";
import { hasListener } from "./process-table.ts";
import { until } from "./until.ts";

/** Kills a process that has started a server and printed its port, and waits until the server is gone, too. */
export async function expectToEndWithOwner(fixture: string): Promise<void> {
  const owner = Bun.spawn([process.execPath, join(import.meta.dir, "fixtures", fixture)], {
    stdout: "pipe",
    stderr: "inherit",
    stdin: "ignore",
  });
  const { value } = await owner.stdout.getReader().read();
  const port = Number(new TextDecoder().decode(value));
  await until("the server listens", () => hasListener(port));
  owner.kill("SIGKILL");
  await until("nothing listens", () => !hasListener(port));
}
