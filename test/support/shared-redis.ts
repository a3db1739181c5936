import { mkdtempSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { freePort } from "./free-port.ts";
import { keepProcess } from "./kept-process.ts";
import { askRedis, redisCommand } from "./redis-server.ts";
import { until } from "./until.ts";

let shared: Promise<number> | undefined;
let prefixes = 0;

/** The address of one server for all tests of this process, with names of keys and channels that only the caller uses. */
export async function newRedisPrefix(): Promise<string> {
  shared ??= startShared();
  prefixes += 1;
  const prefix = `test-${prefixes}`;
  const port = await shared;
  // As if the server weren't new: nobody gets a lease in its first fifteen seconds.
  await askRedis(port, "set", `${prefix}:0:leases-since`, "1");
  return `redis://127.0.0.1:${port}/0?prefix=${prefix}`;
}

/** It ends with the process, even if that is killed. */
async function startShared(): Promise<number> {
  const directory = mkdtempSync(join(tmpdir(), "kurz-redis-"));
  const port = freePort();
  const keeper = keepProcess({ directory, command: redisCommand(port, directory), lastSignal: "TERM" });
  await until("the server answers", async () => {
    if (keeper.exitCode !== null) throw new Error(`redis-server has exited with ${keeper.exitCode}`);
    return (await askRedis(port, "ping")) === "PONG";
  });
  return port;
}
