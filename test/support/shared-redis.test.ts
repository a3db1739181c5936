import { expect, setDefaultTimeout, test } from "bun:test";
import { join } from "node:path";
import { countListeners } from "./process-table.ts";
import { newRedisPrefix } from "./shared-redis.ts";
import { until } from "./until.ts";

setDefaultTimeout(600_000);

test("the server ends with the process that started it, even if that is killed", async () => {
  const child = Bun.spawn([process.execPath, join(import.meta.dir, "fixtures", "redis-owner.ts")], {
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

test("servers of a test process share it, each with names of its own", async () => {
  const [first, second] = (await Promise.all([newRedisPrefix(), newRedisPrefix()])).map((url) => new URL(url));
  expect(first?.port).toBe(second?.port);
  expect(first?.search).not.toBe(second?.search);
});
