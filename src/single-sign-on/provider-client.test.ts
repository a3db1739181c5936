import { afterEach, beforeEach, describe, expect, test } from "bun:test";
import { startRawReceiver } from "#test/support/raw-receiver.ts";
import { type SmallProvider, startSmallProvider } from "./fixtures/small-provider.ts";
import { providerClient } from "./provider-client.ts";
import { ProviderFailure } from "./provider-failure.ts";

// More than the time for which the client for webhooks reads a body.
const SLOW_MS = 2500;

let provider: SmallProvider;
let other: SmallProvider;
let client: ReturnType<typeof providerClient>;
beforeEach(async () => {
  [provider, other] = await Promise.all([startSmallProvider(), startSmallProvider()]);
  client = providerClient(provider.issuer);
});
afterEach(() => Promise.all([provider.stop(), other.stop()]));

const failureOf = async (work: Promise<unknown>): Promise<ProviderFailure> => {
  const error = await work.then(
    () => null,
    (reason: unknown) => reason,
  );
  if (error instanceof ProviderFailure) return error;
  throw new Error("it didn't fail as a provider does", { cause: error });
};
const post = (path: string) => client.postForm(`${provider.issuer}${path}`, new URLSearchParams({ code: "c" }), {});

test("only the issuer's own host may have a private address", async () => {
  provider.answer("/keys", { keys: [] });
  other.answer("/keys", { keys: [] });
  expect(await client.getJson(`${provider.issuer}/keys`)).toEqual({ keys: [] });
  for (const url of [`${other.issuer}/keys`, `${other.issuer.replace("http:", "https:")}/keys`]) {
    expect((await failureOf(client.getJson(url))).isAway).toBe(true);
    expect((await failureOf(client.postForm(url, new URLSearchParams(), {}))).isAway).toBe(true);
  }
  expect(other.calls).toEqual([]);
});

test("redirects aren't followed, to its own host neither", async () => {
  provider.answer("/real", { keys: [] });
  provider.answerWith("/keys", () => Response.redirect(`${provider.issuer}/real`));
  const { message, isAway } = await failureOf(client.getJson(`${provider.issuer}/keys`));
  expect([message, isAway]).toEqual([`${provider.issuer}/keys answered 302`, false]);
  expect((await post("/keys")).status).toBe(302);
  expect(provider.calls).toEqual(["/keys", "/keys"]);
});

describe("an answer", () => {
  test("that breaks off is none", async () => {
    const bytes = 'HTTP/1.1 200 OK\r\nContent-Length: 100\r\n\r\n{"id_token":';
    const broken = await startRawReceiver({ onRequest: (socket) => socket.end(bytes) });
    const url = `http://127.0.0.1:${broken.port}`;
    const { getJson, postForm } = providerClient(url);
    for (const call of [getJson(url), postForm(url, new URLSearchParams(), {})]) {
      const { message, isAway } = await failureOf(call);
      expect([message, isAway]).toEqual([`${url}: the answer broke off, or took too long`, true]);
    }
    await broken.stop();
  });

  test("of more than 1 MiB is refused", async () => {
    provider.answer("/keys", "x".repeat(1 << 20));
    for (const call of [client.getJson(`${provider.issuer}/keys`), post("/keys")]) {
      const { message, isAway } = await failureOf(call);
      expect([message, isAway]).toEqual([`${provider.issuer}/keys answered with more than 1 MiB`, false]);
    }
  });

  test("of almost 1 MiB is read", async () => {
    const text = "x".repeat((1 << 20) - 100);
    provider.answer("/keys", { text });
    expect(await client.getJson(`${provider.issuer}/keys`)).toEqual({ text });
  });

  test("to a code may take its time", async () => {
    const slow = new ReadableStream<string>({
      start(controller) {
        controller.enqueue('{"id_token":');
        setTimeout(() => {
          controller.enqueue('"t"}');
          controller.close();
        }, SLOW_MS);
      },
    });
    provider.answerWith("/token", () => new Response(slow));
    expect(await post("/token")).toEqual({ status: 200, json: { id_token: "t" } });
  });
});
