import { join } from "node:path";
import { Webhook } from "standardwebhooks";
import Stripe from "stripe";
import { verifyWebhook } from "#sdk/webhook.ts";
import { PYTHON_CLIENT, PYTHON_PROGRAM } from "./python.ts";
import type { Hit } from "./webhook-receiver.ts";

const TOLERANCE_SECONDS = 299;
const stripe = new Stripe("sk_test_unused");

type Verifier = (hit: Pick<Hit, "body" | "headers">, secret: string) => Promise<boolean>;

const succeeds = async (work: () => unknown): Promise<boolean> => {
  try {
    await work();
    return true;
  } catch {
    return false;
  }
};

const signatureOf = ({ headers }: Pick<Hit, "headers">): string => headers.get("service-signature") ?? "";

const PYTHON = `
import base64, json, sys, stripe
given = json.load(sys.stdin)
stripe.Webhook.construct_event(base64.b64decode(given["body"]), given["signature"], given["secret"], tolerance=${TOLERANCE_SECONDS})
`;

const OUR_PYTHON = `
import base64, json, sys
from kurz import WebhookError, verify_webhook
given = json.load(sys.stdin)
try:
    verify_webhook(base64.b64decode(given["body"]), given["headers"], given["secret"])
except WebhookError:
    sys.exit(3)
`;

/** Three independent libraries and our own. Each must accept deliveries byte for byte. */
export const verifiers: Readonly<
  Record<"stripe" | "standardwebhooks" | "python3-stripe" | "our own SDK" | "our own Python client", Verifier>
> = {
  stripe: (hit, secret) =>
    succeeds(() => stripe.webhooks.constructEventAsync(hit.body, signatureOf(hit), secret, TOLERANCE_SECONDS)),
  standardwebhooks: ({ body, headers }, secret) =>
    succeeds(() => new Webhook(secret).verify(body.toString(), Object.fromEntries(headers))),
  "python3-stripe": async (hit, secret) => {
    const given = { body: hit.body.toString("base64"), signature: signatureOf(hit), secret };
    const child = Bun.spawn([PYTHON_PROGRAM, "-c", PYTHON], {
      stdin: new Blob([JSON.stringify(given)]),
      stdout: "ignore",
      stderr: "pipe",
    });
    const [code, text] = await Promise.all([child.exited, child.stderr.text()]);
    if (code !== 0 && !text.includes("SignatureVerificationError")) throw new Error(text);
    return code === 0;
  },
  "our own Python client": async ({ body, headers }, secret) => {
    const given = { body: body.toString("base64"), headers: Object.fromEntries(headers), secret };
    const child = Bun.spawn([PYTHON_PROGRAM, "-c", OUR_PYTHON], {
      env: { ...process.env, PYTHONPATH: join(PYTHON_CLIENT, "src"), PYTHONDONTWRITEBYTECODE: "1" },
      stdin: new Blob([JSON.stringify(given)]),
      stdout: "ignore",
      stderr: "pipe",
    });
    const [code, text] = await Promise.all([child.exited, child.stderr.text()]);
    if (code !== 0 && code !== 3) throw new Error(text);
    return code === 0;
  },
  "our own SDK": ({ body, headers }, secret) => succeeds(() => verifyWebhook(body, headers, secret)),
};

/** Which of the libraries accept a delivery with a secret. */
export async function acceptedBy(hit: Pick<Hit, "body" | "headers">, secret: string): Promise<string[]> {
  const names = Object.keys(verifiers) as (keyof typeof verifiers)[];
  const accepted = await Promise.all(names.map((name) => verifiers[name](hit, secret)));
  return names.filter((_, index) => accepted[index]);
}

export const allVerifiers = Object.keys(verifiers);
