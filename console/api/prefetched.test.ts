import { afterEach, beforeEach, expect, test } from "bun:test";
import { forgetPrefetched, prefetch, takeArrived, takePrefetched } from "./prefetched.ts";

const LINKS = "/console/api/v1/links?limit=30";
const originalFetch = globalThis.fetch;
let requested: string[];

function answerWith(makeResponse: () => Response): void {
  const answer = async (url: string, { headers }: { headers: Record<string, string> }): Promise<Response> => {
    requested.push(`${url} ${headers["kurz-account"] ?? "nobody"}`);
    return makeResponse();
  };
  globalThis.fetch = answer as unknown as typeof fetch;
}

beforeEach(() => {
  requested = [];
  answerWith(() => Response.json("early"));
});
afterEach(() => {
  globalThis.fetch = originalFetch;
  forgetPrefetched();
});

test("a response is given once, for the same request within the same account", async () => {
  void prefetch(LINKS, "acc_1");
  expect(requested).toEqual([`${LINKS} acc_1`]);
  expect(takePrefetched("/console/api/v1/links?limit=100", "acc_1")).toBeUndefined();
  expect(takePrefetched(LINKS, "acc_2")).toBeUndefined();
  expect(await (await takePrefetched(LINKS, "acc_1"))?.json()).toBe("early");
  expect(takePrefetched(LINKS, "acc_1")).toBeUndefined();
  expect(globalThis.kurzPrefetched?.size).toBe(0);
});

test("one from long ago isn't given", async () => {
  for (const takeOne of [takePrefetched, takeArrived]) {
    await prefetch(LINKS, "acc_1");
    const [key, prefetched] = [...(globalThis.kurzPrefetched ?? [])][0] ?? [];
    if (key && prefetched)
      globalThis.kurzPrefetched?.set(key, { ...prefetched, requestedAt: performance.now() - 60_001 });
    expect(takeOne(LINKS, "acc_1")).toBeUndefined();
  }
});

test("nor is any after someone has signed out", async () => {
  await prefetch(LINKS, "acc_1");
  forgetPrefetched();
  expect(takePrefetched(LINKS, "acc_1")).toBeUndefined();
});

test("what has arrived can be taken at once, as old as it is; what hasn't stays for those who wait", async () => {
  const before = Date.now();
  const arrival = prefetch(LINKS, "acc_1");
  expect(takeArrived(LINKS, "acc_1")).toBeUndefined();
  await arrival;
  const arrived = takeArrived(LINKS, "acc_1");
  expect(arrived?.content).toBe("early");
  expect(Math.abs((arrived?.updatedAt ?? 0) - before)).toBeLessThan(60_000);
  expect(takePrefetched(LINKS, "acc_1")).toBeUndefined();
});

test("a refusal is for the application to read", async () => {
  answerWith(() => Response.json({ error: {} }, { status: 503 }));
  let content: unknown;
  await prefetch(LINKS, "acc_1", (answered) => (content = answered));
  expect(content).toBeUndefined();
  expect(takeArrived(LINKS, "acc_1")).toBeUndefined();
  expect((await takePrefetched(LINKS, "acc_1"))?.status).toBe(503);
});

test("what is requested next is requested before anyone has the response", async () => {
  void prefetch("/console/api/state", null, () => void prefetch(LINKS, "acc_1"));
  const taken = await takePrefetched("/console/api/state", null);
  expect(requested).toEqual(["/console/api/state nobody", `${LINKS} acc_1`]);
  expect(await taken?.json()).toBe("early");
});

test("a request that fails is for the application to notice", async () => {
  answerWith(() => {
    throw new TypeError("Failed to fetch");
  });
  void prefetch(LINKS, "acc_1");
  await Bun.sleep(0);
  expect(await takePrefetched(LINKS, "acc_1")?.catch(({ message }) => message)).toBe("Failed to fetch");
});
