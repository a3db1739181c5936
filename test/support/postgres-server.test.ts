import { expect, setDefaultTimeout, test } from "bun:test";
import { rmSync } from "node:fs";
import { expectToEndWithOwner } from "./ends-with-owner.ts";
import { newPostgresTemplate, POSTGRES_TEMPLATE, startPostgres } from "./postgres-server.ts";

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

test("servers that begin with a copy of a template have nothing in common", async () => {
  const [before, template] = [process.env[POSTGRES_TEMPLATE], await newPostgresTemplate()];
  process.env[POSTGRES_TEMPLATE] = template;
  try {
    const [one, other] = await Promise.all([startPostgres(), startPostgres()]);
    rmSync(template, { recursive: true });
    const database = await one.newDatabase();
    await one.administer("create table kept as select 7 as number", database);
    expect(await other.newDatabase()).toBe(database);
    await expect(other.administer("select number from kept", database)).rejects.toThrow("does not exist");
    await Promise.all([one.close(), other.close()]);
  } finally {
    if (before === undefined) delete process.env[POSTGRES_TEMPLATE];
    else process.env[POSTGRES_TEMPLATE] = before;
  }
});
