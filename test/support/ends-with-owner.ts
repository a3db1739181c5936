import { expect } from "bun:test";
import { join } from "node:path";
import { countListeners } from "./process-table.ts";
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
  expect(countListeners(port)).toBeGreaterThan(0);
  owner.kill("SIGKILL");
  await until("nothing listens", () => countListeners(port) === 0);
}
