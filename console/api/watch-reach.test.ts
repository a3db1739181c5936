import { afterEach, expect, test } from "bun:test";
import { isReachable } from "./reach.ts";
import { askServer } from "./watch-reach.ts";

const originalFetch = globalThis.fetch;
const answerWith = (answer: () => Promise<Response>) => {
  globalThis.fetch = answer as unknown as typeof fetch;
};

afterEach(() => {
  globalThis.fetch = originalFetch;
  isReachable.set(true);
});

test("any answer tells that the server is there, an error, too", async () => {
  isReachable.set(false);
  answerWith(async () => Response.json({ error: { code: "internal_error", message: "It broke." } }, { status: 500 }));
  expect(await askServer()).toBe(true);
  expect(isReachable.get()).toBe(true);
});

test("a server that doesn't answer isn't there, even if an earlier request is answered meanwhile", async () => {
  const stop = isReachable.subscribe(() => isReachable.set(true));
  answerWith(() => Promise.reject(new TypeError("Failed to fetch")));
  const isThere = await askServer();
  stop();
  expect(isThere).toBe(false);
});
