import { afterAll, beforeAll, expect, test } from "bun:test";
import type { z } from "zod";
import { watchClicks } from "#contract/console/links.ts";
import { signInWithPasskey } from "#contract/console/session.ts";
import type { Endpoint } from "#contract/endpoint.ts";
import { createLink } from "#contract/links.ts";
import { allEndpoints } from "#test/support/all-endpoints.ts";
import {
  addressOf,
  type ConsoleAnswer,
  type ConsoleClient,
  type ConsoleServer,
  OWNER_EMAIL,
  type Sent,
  startConsole,
} from "#test/support/console-client.ts";
import { hostileBodies } from "#test/support/hostile-values.ts";
import { operatorOf } from "#test/support/operator.ts";

// Below the rate limit of a session.
const CALLS_PER_SESSION = 500;

let site: ConsoleServer;
let token: string;
let id: string;
let client: ConsoleClient;
let callsLeft = 0;

beforeAll(async () => {
  site = await startConsole({ KURZ_RATE_LIMIT_PER_MINUTE: "0" });
  token = await operatorOf(site.server).newToken(site.owner.account);
  ({ id } = await site.owner.do(createLink, { body: { destination_url: "https://example.com/" } }));
});
afterAll(() => site.stop());

type Answer = Pick<ConsoleAnswer, "status" | "text">;

/** The console has the API's own operations, too, with the same handlers: a token is looked up sooner than a session. */
async function send(endpoint: Endpoint, sent: Sent): Promise<Answer> {
  if (endpoint.path.startsWith("/console/")) return (await nextClient()).call(endpoint, sent);
  const { body } = sent;
  const answer = await fetch(site.url + addressOf(endpoint, sent), {
    method: endpoint.method,
    redirect: "manual",
    headers: { authorization: `Bearer ${token}`, ...(body !== undefined && { "content-type": "application/json" }) },
    ...(body !== undefined && { body: JSON.stringify(body) }),
  });
  // Nothing is read without a token.
  expect(answer.status).not.toBe(401);
  return { status: answer.status, text: await answer.text() };
}

async function nextClient(): Promise<ConsoleClient> {
  if (callsLeft === 0) {
    client = site.guest();
    await client.signIn(OWNER_EMAIL);
    client.account = site.owner.account;
    callsLeft = CALLS_PER_SESSION;
  }
  callsLeft -= 1;
  return client;
}

// PostgreSQL can't store it.
const NUL_TEXTS = ["\u0000", "a\u0000b", "three\u0000"];

// A stream of live clicks doesn't end.
const finite = allEndpoints.filter(({ id }) => id !== watchClicks.id);

test.each(finite.map((endpoint) => [endpoint.id, endpoint] as const))(
  "no NUL in the address makes %s fail",
  async (_, endpoint) => {
    const params = { id, slug: "x" };
    const names = (schema: z.ZodObject | undefined): string[] => Object.keys(schema?.shape ?? {});
    for (const text of NUL_TEXTS) {
      const addresses = [
        ...names(endpoint.params).map((name) => ({ params: { ...params, [name]: text } })),
        ...names(endpoint.query).map((name) => ({ params, query: { [name]: text } })),
      ];
      for (const address of addresses) {
        const answer = await send(endpoint, address);
        if (answer.status >= 500) expect([address, answer.text]).toEqual([address, "an answer to the address"]);
      }
    }
  },
);

const withBody = allEndpoints.flatMap((endpoint) => (endpoint.body ? [{ ...endpoint, body: endpoint.body }] : []));

test.each(withBody.map((endpoint) => [endpoint.id, endpoint] as const))(
  "no value in any field makes %s fail",
  async (_, endpoint) => {
    for (const body of hostileBodies(endpoint.body)) {
      const { status, text } = await send(endpoint, { params: { id, slug: "x" }, body });
      // Passkey attempts are rate-limited after the first few; nothing else may be refused unread.
      const isRead = status !== 429 || endpoint.id === signInWithPasskey.id;
      if (status >= 500 || !isRead) expect([body, text]).toEqual([body, "an answer to the fields"]);
    }
  },
);
