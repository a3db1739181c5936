import { afterEach, beforeEach, expect, setDefaultTimeout, test } from "bun:test";
import { rmSync } from "node:fs";
import { dirname } from "node:path";
import { type DataPaths, dataPaths } from "#config/data-paths.ts";
import { loadConfig } from "#config/load-config.ts";
import type { Config } from "#config/settings.ts";
import { migrateSqlite } from "#engines/records/sqlite/migrate.ts";
import { type DataLock, lockDataDirectory } from "#runtime/data-lock.ts";
import { openServices } from "#runtime/services.ts";
import { newDataDir, spawnedKurz } from "#test/support/kurz-command.ts";
import { adminHandler } from "./admin-server.ts";
import type { Command } from "./command.ts";
import { findCommand } from "./command-list.ts";
import { invoke } from "./invoke.ts";

setDefaultTimeout(600_000);

let config: Config;
let paths: DataPaths;
let lock: DataLock;
let cleanUp: (() => unknown)[] = [];

beforeEach(() => {
  const dataDir = newDataDir();
  config = loadConfig({ KURZ_DATA_DIR: dataDir });
  paths = dataPaths(dataDir);
  lock = lockDataDirectory(paths, { purpose: "server" });
  migrateSqlite(paths.records);
  cleanUp = [() => rmSync(dirname(dataDir), { recursive: true }), () => lock.release()];
});
afterEach(async () => {
  for (const undo of cleanUp.toReversed()) await undo();
});

function serve(fetch: (request: Request) => Promise<Response>): Bun.Server<undefined> {
  const server = Bun.serve({ unix: paths.adminSocket, fetch });
  cleanUp.push(() => server.stop(true));
  return server;
}

/** Serves commands as control does, and counts what it reports to its caches. */
async function serveCommands() {
  const counts = { commits: 0 };
  const services = await openServices({
    config,
    paths,
    afterCommit: async () => {
      counts.commits += 1;
    },
  });
  cleanUp.push(() => services.close());
  serve(adminHandler(services));
  return counts;
}

function getCommand(name: string): Command {
  const command = findCommand(name);
  if (!command) throw new Error(`there is no command ${name}`);
  return command;
}

test("a running server runs the commands, so that its caches are updated", async () => {
  const counts = await serveCommands();
  const kurz = spawnedKurz(config.dataDir);
  const create = ["accounts", "create", "--email", "ada@example.com", "--name", "Acme"];
  const { out: account } = await kurz(create, { input: "correct horse battery\n" });
  expect(account).toMatch(/^acc_[0-9a-z]{26}\n$/);
  // The text index may have committed something of its own since.
  expect(counts.commits).toBeGreaterThan(0);
  expect(await kurz(["accounts", "suspend", "acc_none"])).toEqual({
    exitCode: 1,
    out: "",
    err: `kurz: there is no account "acc_none" (data directory: ${config.dataDir})\n`,
  });
  const { out: listed } = await kurz(["accounts", "list"]);
  expect(listed).toContain(account.trim());
});

test("wrong arguments that only the server notices exit with 2 as well", async () => {
  await serveCommands();
  const { exitCode, err } = await spawnedKurz(config.dataDir)(["webhooks", "update", "we_none"]);
  expect(err).toContain("webhooks update needs --url URL");
  expect(exitCode).toBe(2);
});

test("a command waits for a server that is starting", async () => {
  const listing = invoke(config, getCommand("accounts list"), {});
  await serveCommands();
  expect(await listing).toEqual([]);
});

test("a server that never listens is given up", async () => {
  const listing = invoke(config, getCommand("accounts list"), {}, { waitMsMax: 100 });
  await expect(listing).rejects.toThrow("the server is running but not accepting commands; try again in a moment");
});

test("a command whose server stopped before it began runs in its own process", async () => {
  const listing = invoke(config, getCommand("accounts list"), {});
  lock.release();
  expect(await listing).toEqual([]);
});

test("a command is not sent twice if the connection breaks", async () => {
  let requests = 0;
  const server = serve(async () => {
    requests += 1;
    void server.stop(true);
    return new Promise(() => {});
  });
  await expect(invoke(config, getCommand("migrate"), {})).rejects.toThrow(
    "the connection to the server broke; check whether the command was carried out",
  );
  expect(requests).toBe(1);
});

test("a server of another version refuses unknown commands", async () => {
  await serveCommands();
  const post = (body: unknown) =>
    fetch("http://localhost/commands", { unix: paths.adminSocket, method: "POST", body: JSON.stringify(body) });
  for (const [body, status] of [
    [{ command: "accounts frobnicate", input: {} }, 404],
    // Whether a command works is known after its answer has begun.
    [{ command: "accounts list", input: { colour: "red" } }, 200],
    [{ command: "accounts create", input: { email: "ada@example.com", name: "Acme" } }, 200],
    [{ command: "accounts list" }, 400],
    [null, 400],
  ] as const) {
    const response = await post(body);
    expect(response.status).toBe(status);
    const error = { message: expect.any(String), ...(status === 200 && { isUsage: expect.any(Boolean) }) };
    expect(await response.json()).toEqual({ error });
  }
});
