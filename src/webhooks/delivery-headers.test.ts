import { expect, test } from "bun:test";
import fc from "fast-check";
import { Webhook } from "standardwebhooks";
import Stripe from "stripe";
import { deliveryHeaders } from "./delivery-headers.ts";
import { newSecret, secretBox } from "./endpoint-secret.ts";

const stripe = new Stripe("sk_test_unused");

test("the published example has the published signatures", () => {
  const headers = deliveryHeaders({
    deliveryId: "dlv_01hf4t9c0000000000000000bb",
    event: "link.created",
    attempt: 1,
    body: Buffer.from('{"id":"evt_01hf4t9c0000000000000000aa","type":"link.created"}'),
    secrets: ["whsec_MDEyMzQ1Njc4OWFiY2RlZjAxMjM0NTY3ODlhYmNkZWY="],
    t: 1_700_000_000,
  });
  expect(headers["Service-Signature"]).toBe(
    "t=1700000000,v1=28b1aa7ae5062c590f8f72ba61629e0a1a5cb0f8ca5cf3152747a6ce953e9df7",
  );
  expect(headers["webhook-signature"]).toBe("v1,kBGdiUW90DF7hAlA1bzAMubH/AyrE4IjgqYUe+3fIxg=");
});

const stripeVerifies = (body: string, signature: string, secret: string): Promise<boolean> =>
  stripe.webhooks.constructEventAsync(body, signature, secret, 299).then(
    () => true,
    () => false,
  );

test("any body verifies with each secret, in two independent libraries", async () => {
  await fc.assert(
    fc.asyncProperty(fc.jsonValue(), async (value) => {
      const secrets = [newSecret(), newSecret()];
      const body = JSON.stringify({ value });
      const t = Math.floor(Date.now() / 1000);
      const signed = { deliveryId: "dlv_1", event: "link.created", attempt: 3, body: Buffer.from(body), secrets, t };
      const headers = deliveryHeaders(signed);
      const signature = headers["Service-Signature"];
      for (const secret of secrets) {
        expect(await stripeVerifies(body, signature, secret)).toBe(true);
        new Webhook(secret).verify(body, headers);
        expect(await stripeVerifies(`${body} `, signature, secret)).toBe(false);
      }
      const stranger = newSecret();
      expect(await stripeVerifies(body, signature, stranger)).toBe(false);
      expect(() => new Webhook(stranger).verify(body, headers)).toThrow();
    }),
    { numRuns: 50 },
  );
});

test("a stored secret can only be read with its key and for its endpoint", () => {
  const secret = newSecret();
  const box = secretBox("one key that is long enough for it");
  const sealed = box.seal(secret, "we_1");
  expect(sealed).not.toContain(secret.slice(6, 20));
  expect(box.open(sealed, "we_1")).toBe(secret);
  expect(box.seal(secret, "we_1")).not.toBe(sealed);
  expect(() => box.open(sealed, "we_2")).toThrow();
  expect(() => secretBox("another key").open(sealed, "we_1")).toThrow();
});
