import { expect, setDefaultTimeout, test } from "bun:test";
import { expectToEndWithOwner } from "./ends-with-owner.ts";
import { newRedisPrefix } from "./shared-redis.ts";

setDefaultTimeout(600_000);

test("the server ends with the process that started it, even if that is killed", async () => {
  await expectToEndWithOwner("redis-owner.ts");
});

test("servers of a test process share it, each with names of its own", async () => {
  const [first, second] = (await Promise.all([newRedisPrefix(), newRedisPrefix()])).map((url) => new URL(url));
  expect(first?.port).toBe(second?.port);
  expect(first?.search).not.toBe(second?.search);
});
