import { afterAll, beforeAll, expect, test } from "bun:test";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { freePort } from "#test/support/free-port.ts";
import { type CommandResult, runKurz, startKurz } from "#test/support/kurz-server.ts";
import { type PostgresServer, startPostgres } from "#test/support/postgres-server.ts";

const KEY = "a secret key for tests that one node has";
const OTHER_KEY = "a secret key for tests that another node has";
const REFUSAL =
  "KURZ_SECRET_KEY isn't the key that the stored secrets were encrypted with; set the same one on every node";

const directory = mkdtempSync(join(tmpdir(), "kurz-key-"));
let postgres: PostgresServer;

beforeAll(async () => {
  postgres = await startPostgres();
}, 600_000);
afterAll(async () => {
  await postgres.close();
  rmSync(directory, { recursive: true, force: true });
});

test("a node with another secret key refuses to start, until that key is adopted for all", async () => {
  const database = await postgres.newDatabase();
  const envOf = (key: string): Record<string, string> => ({
    DATABASE_URL: postgres.urlOf(database),
    KURZ_SECRET_KEY: key,
    KURZ_REDIRECT_PROCESSES: "1",
  });
  const [dataDir, otherDir] = [join(directory, "one"), join(directory, "other")];
  const kurzThere = (command: readonly string[], key = OTHER_KEY): Promise<CommandResult> =>
    runKurz(command, {
      PATH: process.env.PATH ?? "",
      KURZ_DATA_DIR: otherDir,
      KURZ_PORT: String(freePort()),
      KURZ_METRICS_ADDR: "off",
      ...envOf(key),
    });

  const node = await startKurz({ dataDir, env: envOf(KEY) });
  try {
    const refused = await kurzThere(["serve"]);
    expect([refused.code, refused.stderr.trim().split("\n").length]).toEqual([1, 1]);
    expect(refused.stderr).toStartWith(`kurz: ${REFUSAL}`);
    expect(refused.stderr).not.toContain(OTHER_KEY);

    const diagnosis = await kurzThere(["doctor"]);
    expect([diagnosis.code, diagnosis.stdout]).toEqual([1, expect.stringContaining(REFUSAL)]);
    expect((await kurzThere(["accounts", "list"])).stderr).toContain(REFUSAL);
    expect((await kurzThere(["doctor"], KEY)).stdout).not.toContain(REFUSAL);
  } finally {
    await node.stop();
  }

  expect((await kurzThere(["secret-key", "adopt"])).code).toBe(0);
  const other = await startKurz({ dataDir: otherDir, env: envOf(OTHER_KEY) });
  try {
    await expect(startKurz({ dataDir, env: envOf(KEY) })).rejects.toThrow(REFUSAL);
  } finally {
    await other.stop();
  }
}, 600_000);
