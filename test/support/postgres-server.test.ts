import { expect, setDefaultTimeout, test } from "bun:test";
import { expectToEndWithOwner } from "./ends-with-owner.ts";
import { startPostgres } from "./postgres-server.ts";

setDefaultTimeout(600_000);

test("a server ends with the process that started it, even if that is killed", async () => {
  await expectToEndWithOwner("postgres-owner.ts");
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
