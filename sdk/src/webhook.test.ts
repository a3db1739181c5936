import { describe, expect, test } from "bun:test";
import fc from "fast-check";
import { Webhook } from "standardwebhooks";
import Stripe from "stripe";
import type { LinkCreatedEvent, WebhookEvent } from "./generated.ts";
import { type VerifyWebhookOptions, verifyWebhook, type WebhookHeaders } from "./webhook.ts";
import { WebhookError } from "./webhook-error.ts";
import { isEqual, sign } from "./webhook-signature.ts";

const stripe = new Stripe("sk_x");

const secret = "whsec_MDEyMzQ1Njc4OWFiY2RlZjAxMjM0NTY3ODlhYmNkZWY=";
const otherSecret = "whsec_ZmVkY2JhOTg3NjU0MzIxMGZlZGNiYTk4NzY1NDMyMTA=";
const t = 1_700_000_000;
const deliveryId = "dlv_01hf4t9c0000000000000000bb";
const at = (seconds: number) => ({ now: () => seconds * 1000 });

const published = {
  body: '{"id":"evt_01hf4t9c0000000000000000aa","type":"link.created"}',
  signature: "28b1aa7ae5062c590f8f72ba61629e0a1a5cb0f8ca5cf3152747a6ce953e9df7",
  standard: "v1,kBGdiUW90DF7hAlA1bzAMubH/AyrE4IjgqYUe+3fIxg=",
};

const body = JSON.stringify({
  id: "evt_01hf4t9c0000000000000000aa",
  type: "link.created",
  timestamp: "2023-11-14T22:13:20.000Z",
  api_version: "v1",
  account_id: "acc_1",
  data: { link: { id: "lnk_1", title: "Grüße 🔗 \u2028" } },
});

async function headersFor(text = body, seconds: number | string = t, ...secrets: readonly string[]) {
  const keys = secrets.length > 0 ? secrets : [secret];
  const bytes = new TextEncoder().encode(text);
  const signatures = await Promise.all(keys.map((key) => sign(key, `${seconds}`, bytes)));
  return {
    "Service-Signature": [`t=${seconds}`, ...signatures.map((signature) => `v1=${signature}`)].join(","),
    "Service-Delivery": deliveryId,
  };
}

/** The reason for the rejection, or `ok`. */
async function outcomeOf(
  headers: WebhookHeaders,
  { rawBody = body, key = secret, ...options }: VerifyWebhookOptions & { rawBody?: string; key?: string } = {},
): Promise<string> {
  try {
    await verifyWebhook(rawBody, headers, key, { ...at(t), ...options });
    return "ok";
  } catch (error) {
    if (error instanceof WebhookError) return error.reason;
    throw error;
  }
}

describe("a genuine delivery", () => {
  test("returns its event, typed by event type", async () => {
    const event: WebhookEvent = await verifyWebhook(body, await headersFor(), secret, at(t));
    expect(event as unknown).toEqual(JSON.parse(body));
    if (event.type !== "link.created") throw new Error("another event");
    const created: LinkCreatedEvent = event;
    expect(created.data.link.title).toBe("Grüße 🔗 \u2028");
  });

  test("may be text, bytes, part of a buffer, or an ArrayBuffer", async () => {
    const headers = await headersFor();
    const bytes = new TextEncoder().encode(body);
    const padded = Buffer.concat([Buffer.from("{"), bytes, Buffer.from("}")]);
    for (const rawBody of [body, bytes, bytes.buffer, Buffer.from(body), padded.subarray(1, -1)]) {
      expect((await verifyWebhook(rawBody, headers, secret, at(t))).type).toBe("link.created");
    }
  });

  test("may have its headers in any common form", async () => {
    const headers = await headersFor();
    const lower = Object.fromEntries(Object.entries(headers).map(([name, value]) => [name.toLowerCase(), value]));
    const listed = Object.fromEntries(Object.entries(headers).map(([name, value]) => [name, [value]]));
    for (const one of [headers, lower, listed, new Headers(headers), { ...lower, cookie: undefined }]) {
      expect(await outcomeOf(one)).toBe("ok");
    }
  });

  test("may have several signatures in any order, and unknown schemes", async () => {
    const right = await sign(secret, `${t}`, new TextEncoder().encode(body));
    const wrong = "0".repeat(64);
    for (const value of [
      `v1=${wrong},v1=${right},t=${t}`,
      `v1=${right},t=${t},v1=${wrong}`,
      `t=${t}, v1=${right}`,
      `t=${t},v0=abc,v2=d=e,v1=${right},x`,
    ]) {
      expect(await outcomeOf({ "Service-Signature": value, "Service-Delivery": deliveryId })).toBe("ok");
    }
  });

  test("verifies with the old and the new secret during a rotation", async () => {
    const headers = await headersFor(body, t, otherSecret, secret);
    expect(await outcomeOf(headers)).toBe("ok");
    expect(await outcomeOf(headers, { key: otherSecret })).toBe("ok");
    expect(await outcomeOf(await headersFor(body, t, otherSecret))).toBe("wrong_signature");
  });
});

describe("a delivery is rejected", () => {
  test("if body, time, secret or signature differ", async () => {
    const headers = await headersFor();
    const signature = headers["Service-Signature"];
    expect(await outcomeOf(headers, { rawBody: `${body} ` })).toBe("wrong_signature");
    expect(await outcomeOf(headers, { rawBody: body.replace("🔗", "🔒") })).toBe("wrong_signature");
    expect(await outcomeOf(headers, { key: otherSecret })).toBe("wrong_signature");
    for (const changed of [
      signature.replace(`t=${t}`, `t=${t + 1}`),
      signature.replace(`t=${t}`, `t=0${t}`),
      signature.replace(/v1=(.*)$/, (_, hex: string) => `v1=${hex.toUpperCase()}`),
      signature.slice(0, -1),
      `${signature}0`,
      `t=${t},v1=`,
    ]) {
      expect([changed, await outcomeOf({ ...headers, "Service-Signature": changed })]).toEqual([
        changed,
        "wrong_signature",
      ]);
    }
  });

  test.each([
    "",
    `v1=${"0".repeat(64)}`,
    `t=${t}`,
    `t=${t},t=${t},v1=a`,
    "t=Infinity,v1=a",
    "t=-1,v1=a",
    "t=1e9,v1=a",
    "t=,v1=a",
    "x",
    `t=${t}.5,v1=a`,
  ])("when the signature header is %p", async (value) => {
    const reason = value === "" ? "missing_header" : "malformed_signature";
    expect(await outcomeOf({ "Service-Signature": value, "Service-Delivery": deliveryId })).toBe(reason);
  });

  test("if a header is missing", async () => {
    const { "Service-Delivery": _, ...unnamed } = await headersFor();
    expect(await outcomeOf(unnamed)).toBe("missing_header");
    expect(await outcomeOf({ "Service-Delivery": deliveryId })).toBe("missing_header");
    expect(await outcomeOf(new Headers())).toBe("missing_header");
  });

  test.each([
    [0, "ok"],
    [299, "ok"],
    [299.999, "ok"],
    [300, "wrong_time"],
    [301, "wrong_time"],
    [1e9, "wrong_time"],
  ])("when it was signed %d seconds ago or ahead: %s", async (seconds, outcome) => {
    const headers = await headersFor();
    expect(await outcomeOf(headers, at(t + seconds))).toBe(outcome);
    expect(await outcomeOf(headers, at(t - seconds))).toBe(outcome);
  });

  test("if it is older than the given tolerance", async () => {
    const headers = await headersFor();
    expect(await outcomeOf(headers, { toleranceSeconds: 10, ...at(t + 9) })).toBe("ok");
    expect(await outcomeOf(headers, { toleranceSeconds: 10, ...at(t + 10) })).toBe("wrong_time");
    expect(await outcomeOf(await headersFor(body, Math.floor(Date.now() / 1000)), { now: Date.now })).toBe("ok");
  });

  test.each(["", "null", "[]", '"text"', "{", '{"id":"evt_1"}'])(
    "when what is signed is no event: %p",
    async (rawBody) => expect(await outcomeOf(await headersFor(rawBody), { rawBody })).toBe("invalid_payload"),
  );

  test("if it was already processed, which is checked only for genuine ones", async () => {
    const asked: string[] = [];
    const seen = async (id: string, event: WebhookEvent): Promise<boolean> => {
      asked.push(`${id} ${event.id}`);
      return asked.length > 1;
    };
    const headers = await headersFor();
    expect(await outcomeOf(headers, { seen, key: otherSecret })).toBe("wrong_signature");
    expect(await outcomeOf(headers, { seen, ...at(t + 300) })).toBe("wrong_time");
    expect(asked).toEqual([]);
    expect(await outcomeOf(headers, { seen })).toBe("ok");
    expect(await outcomeOf(headers, { seen })).toBe("duplicate");
    expect(asked).toEqual(Array(2).fill(`${deliveryId} evt_01hf4t9c0000000000000000aa`));
  });
});

describe("a mistake of the caller throws a TypeError:", () => {
  test("a parsed body", async () => {
    const call = verifyWebhook(JSON.parse(body), await headersFor(), secret);
    await expect(call).rejects.toThrow(TypeError);
    await expect(call).rejects.toThrow("requires the raw body");
  });

  test("a secret that is not set", async () => {
    for (const missing of ["", undefined as unknown as string]) {
      await expect(verifyWebhook(body, await headersFor(), missing)).rejects.toThrow("requires the endpoint's secret");
    }
  });

  test("a tolerance that would accept any time", async () => {
    for (const toleranceSeconds of [Number.NaN, 0, -1]) {
      await expect(verifyWebhook(body, await headersFor(), secret, { toleranceSeconds })).rejects.toThrow(TypeError);
    }
  });
});

test("a rejection says which status to respond with", () => {
  expect(new WebhookError("duplicate", "").status).toBe(200);
  expect(new WebhookError("wrong_signature", "").status).toBe(400);
});

describe("other implementations agree:", () => {
  const payload = fc.record({ id: fc.string(), type: fc.string({ unit: "binary" }), data: fc.jsonValue() });

  test("the published vector", async () => {
    expect(await sign(secret, `${t}`, new TextEncoder().encode(published.body))).toBe(published.signature);
    const headers = { "service-signature": `t=${t},v1=${published.signature}`, "service-delivery": deliveryId };
    expect(await outcomeOf(headers, { rawBody: published.body })).toBe("ok");
    expect(new Webhook(secret).sign(deliveryId, new Date(t * 1000), published.body)).toBe(published.standard);
  });

  test("stripe accepts our signatures, and we accept its", async () => {
    await fc.assert(
      fc.asyncProperty(payload, fc.integer({ min: 1, max: 4_000_000_000 }), async (event, timestamp) => {
        const text = JSON.stringify(event);
        const header = await stripe.webhooks.generateTestHeaderStringAsync({ payload: text, secret, timestamp });
        const ours = await headersFor(text, timestamp);
        expect(ours["Service-Signature"]).toBe(header);
        const headers = { ...ours, "Service-Signature": header };
        expect(await outcomeOf(headers, { rawBody: text, ...at(timestamp + 299) })).toBe("ok");
      }),
      { numRuns: 50 },
    );
    const now = Math.floor(Date.now() / 1000);
    const { "Service-Signature": header } = await headersFor(body, now, otherSecret, secret);
    for (const key of [secret, otherSecret]) {
      const event = await stripe.webhooks.constructEventAsync(body, header, key, 299);
      expect(event as unknown).toEqual(JSON.parse(body));
    }
    await expect(stripe.webhooks.constructEventAsync(`${body} `, header, secret, 299)).rejects.toThrow();
  });

  test("standardwebhooks accepts the same delivery by its own headers", async () => {
    const now = new Date();
    const seconds = Math.floor(now.getTime() / 1000);
    const standard = {
      "webhook-id": deliveryId,
      "webhook-timestamp": `${seconds}`,
      "webhook-signature": new Webhook(secret).sign(deliveryId, now, body),
    };
    const headers = { ...standard, ...(await headersFor(body, seconds)) };
    expect(new Webhook(secret).verify(body, headers)).toEqual(JSON.parse(body));
    expect(await outcomeOf(headers, { now: Date.now })).toBe("ok");
  });
});

test("signatures are compared in full", () => {
  const hex = fc.string({ unit: fc.constantFrom(..."0123456789abcdef"), maxLength: 64 });
  fc.assert(fc.property(hex, hex, (a, b) => isEqual(a, b) === (a === b)));
  fc.assert(fc.property(hex, (a) => isEqual(a, a) && !isEqual(a, `${a}0`) && !isEqual(`${a}0`, a)));
});
