import { afterEach, expect, setDefaultTimeout, test } from "bun:test";
import {
  type AskedService,
  type ImportService,
  readContext,
  SERVICE_TOKEN,
  startImportService,
} from "#test/support/import-service.ts";
import { type ServiceOptions, serviceClient } from "./service-client.ts";
import { ServiceRefusal } from "./service-refusal.ts";

setDefaultTimeout(600_000);

let running: ImportService | undefined;
afterEach(() => running?.stop());

const pauses: number[] = [];
afterEach(() => pauses.splice(0));

function service(answer: (asked: AskedService, index: number) => unknown, over: Partial<ServiceOptions> = {}) {
  let index = 0;
  const started = startImportService((asked) => answer(asked, index++));
  running = started;
  const pause = (ms: number): Promise<void> => {
    pauses.push(ms);
    return Promise.resolve();
  };
  return {
    started,
    client: serviceClient(readContext({ url: `${started.url}/`, pause }), {
      ...{ name: "Test", requestsPerSecond: 1e9 },
      ...over,
    }),
  };
}
const status = (code: number, body: unknown = {}, headers: Record<string, string> = {}) =>
  Response.json(body, { status: code, headers });
const problemOf = (promise: Promise<unknown>): Promise<Error> =>
  promise.then(
    () => Promise.reject(new Error("it didn't fail")),
    (error: Error) => error,
  );

test("after too many requests, it waits as long as the service asks", async () => {
  const { client, started } = service((_, index) =>
    index === 0 ? status(429, {}, { "Retry-After": "7" }) : index === 1 ? status(429) : { ok: true },
  );
  expect(await client.get("/x", { a: 1 })).toEqual({ ok: true });
  expect(pauses).toEqual([7000, 2000]);
  expect(started.asked.map(({ path, query }) => [path, query])).toEqual(Array(3).fill(["/x", { a: "1" }]));
});

test("a service that asks to wait for no time, again and again, isn't asked forever", async () => {
  const { client } = service(() => status(429, {}, { "Retry-After": "0" }));
  expect((await problemOf(client.get("/x"))).message).toContain("no more requests");
  expect(Math.min(...pauses)).toBe(1000);
});

test("a limit that outlasts an hour ends the reading", async () => {
  const { client } = service(() => status(429, {}, { "Retry-After": "2400" }));
  expect((await problemOf(client.get("/x"))).message).toContain("no more requests");
  expect(pauses).toEqual([2_400_000]);
});

test("a limit of none or of a month isn't waited for", async () => {
  for (const answer of [status(429, {}, { "X-RateLimit-Limit": "0" }), status(429, { message: "MONTHLY_LIMIT" })]) {
    const { client, started } = service(() => answer.clone());
    expect(await problemOf(client.get("/x"))).toMatchObject({ status: 429 });
    expect(started.asked.length).toBe(1);
    await started.stop();
  }
  expect(pauses).toEqual([]);
});

test("errors of the server are tried again, but not forever", async () => {
  const passing = service((_, index) => (index < 3 ? status(502) : []));
  expect(await passing.client.get("/x")).toEqual([]);
  await passing.started.stop();
  const lasting = service(() => status(500, { detail: "broken" }));
  expect(await problemOf(lasting.client.get("/x"))).toMatchObject({ message: "Test answered with status 500: broken" });
  expect(lasting.started.asked.length).toBe(5);
});

test("a server that asks to wait until it is back gets that time", async () => {
  const { client } = service((_, index) => (index === 0 ? status(503, {}, { "Retry-After": "120" }) : {}));
  await client.get("/x");
  expect(pauses).toEqual([120_000]);
});

test("limits that were waited for leave errors of the server their tries", async () => {
  const { client } = service((_, index) =>
    index < 6 ? status(429, {}, { "Retry-After": "1" }) : index < 8 ? status(502) : [],
  );
  expect(await client.get("/x")).toEqual([]);
});

test("what a service says needn't be valid JSON", async () => {
  const { client } = service(() => new Response('{"message":"two\nlines \\x"}', { status: 400 }));
  expect(await problemOf(client.get("/x"))).toMatchObject({ status: 400, message: "Test answered with status 400" });
});

test("no part of the token is left where a message is cut", async () => {
  const token = `key-${"k".repeat(100)}`;
  const started = startImportService(() => status(400, { message: `${"x".repeat(190)} ${token}` }));
  running = started;
  const client = serviceClient(readContext({ url: started.url, token }), { name: "Test", requestsPerSecond: 1e9 });
  expect((await problemOf(client.get("/x"))).message).not.toContain("key");
});

test("no error has the token in it", async () => {
  const { client } = service(() => status(401, { error: { message: `No such key: ${SERVICE_TOKEN}` } }));
  const problem = await problemOf(client.get("/x"));
  expect(problem).toBeInstanceOf(ServiceRefusal);
  expect(problem.message).toBe("Test answered with status 401: No such key: …");
});

test("requests are spread over time", async () => {
  const { client } = service(() => ({}), { requestsPerSecond: 0.001 });
  for (let count = 0; count < 3; count += 1) await client.get("/x");
  expect(pauses.length).toBe(2);
  expect(Math.min(...pauses)).toBeGreaterThan(500_000);
});

test("redirects, other formats and too much data are said, not followed or stored", async () => {
  const redirect = service(() => status(301, {}, { Location: "https://other.example/x?token=1" }));
  expect((await problemOf(redirect.client.get("/x"))).message).toContain("redirects to other.example.");
  await redirect.started.stop();
  const html = service(() => new Response("<html>"));
  expect((await problemOf(html.client.get("/x"))).message).toContain("JSON");
  await html.started.stop();
  const large = service(() => new Response(new Uint8Array(17 * 1024 * 1024)));
  expect((await problemOf(large.client.get("/x"))).message).toContain("too large");
});

test("an address that isn't allowed is never asked", () => {
  const context = readContext({ url: "http://10.0.0.1" });
  expect(() => serviceClient(context, { name: "Test", requestsPerSecond: 1 })).toThrow("not allowed");
});

test("a service that is away is said to be", async () => {
  const { client, started } = service(() => ({}));
  await started.stop();
  expect((await problemOf(client.get("/x"))).message).toContain("Test can't be reached. The connection failed");
});

test("an aborted reading ends", async () => {
  const controller = new AbortController();
  const started = startImportService(() => ({}));
  running = started;
  const context = readContext({ url: started.url, signal: controller.signal });
  const client = serviceClient(context, { name: "Test", requestsPerSecond: 1 });
  controller.abort(new Error("cancelled"));
  expect((await problemOf(client.get("/x"))).message).toBe("cancelled");
});
