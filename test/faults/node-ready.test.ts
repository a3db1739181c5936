import { afterAll, beforeAll, expect, test } from "bun:test";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { freePort } from "#test/support/free-port.ts";
import { startKurz } from "#test/support/kurz-server.ts";
import { type PostgresServer, startPostgres } from "#test/support/postgres-server.ts";
import { until } from "#test/support/until.ts";

let postgres: PostgresServer;
let DATABASE_URL: string;
const directory = mkdtempSync(join(tmpdir(), "kurz-ready-"));

beforeAll(async () => {
  postgres = await startPostgres();
  DATABASE_URL = postgres.urlOf(await postgres.newDatabase());
}, 600_000);
afterAll(async () => {
  await postgres.close();
  rmSync(directory, { recursive: true, force: true });
}, 600_000);

test("a node that says it is ready serves the API, too, so that the next one can be upgraded", async () => {
  for (const start of ["first", "restart"]) {
    const port = freePort();
    const statusOf = (path: string): Promise<number> =>
      fetch(`http://127.0.0.1:${port}${path}`).then(
        ({ status }) => status,
        () => 0,
      );
    const starting = startKurz({
      dataDir: join(directory, "node"),
      port,
      env: { DATABASE_URL, KURZ_SECRET_KEY: "k".repeat(40) },
    });
    await until(`${start}: it says that it is ready`, async () => (await statusOf("/readyz")) === 200, 180_000);
    expect({ start, api: await statusOf("/api/v1/openapi.json") }).toEqual({ start, api: 200 });
    await (await starting).stop();
  }
}, 600_000);
