import { expect, setDefaultTimeout, test } from "bun:test";
import { join } from "node:path";
import { startPostgres } from "./postgres-server.ts";
import { countListeners } from "./process-table.ts";
import { until } from "./until.ts";

setDefaultTimeout(600_000);

test("a server ends with the process that started it, even if that is killed", async () => {
  const child = Bun.spawn([process.execPath, join(import.meta.dir, "fixtures", "postgres-owner.ts")], {
    stdout: "pipe",
    stderr: "inherit",
    stdin: "ignore",
  });
  const { value } = await child.stdout.getReader().read();
  const port = Number(new TextDecoder().decode(value));
  expect(countListeners(port)).toBeGreaterThan(0);
  child.kill("SIGKILL");
  await until("nothing listens", () => countListeners(port) === 0);
});

test("a server that is stopped and started again has its data", async () => {
  const server = await startPostgres();
  const database = await server.newDatabase();
  await server.administer("create table kept as select 7 as number", database);
  for (const signal of ["KILL", "QUIT", "INT"] as const) {
    await server.stop(signal);
    await expect(server.administer("select 1")).rejects.toThrow();
    await server.start();
    expect((await server.administer("select number from kept", database)).rows).toEqual([{ number: 7 }]);
  }
  await server.close();
});
