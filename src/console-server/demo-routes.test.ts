import { expect, test } from "bun:test";
import * as account from "#contract/console/account.ts";
import * as links from "#contract/console/links.ts";
import * as session from "#contract/console/session.ts";
import * as user from "#contract/console/user.ts";
import type { Endpoint } from "#contract/endpoint.ts";
import type { Route } from "#http/route.ts";
import { refuseInDemo } from "./demo-routes.ts";

const isEndpoint = (value: unknown): value is Endpoint =>
  typeof value === "object" && value !== null && "method" in value && "path" in value;

const endpoints = [account, links, session, user].flatMap((definitions) =>
  Object.values(definitions as object).filter(isEndpoint),
);
const handle: Route["handle"] = async () => "done";

test("visitors of a demo change their own session and nothing that they share", async () => {
  const routes = refuseInDemo(endpoints.map((endpoint) => ({ endpoint, handle })));
  const allowed: string[] = [];
  for (const { endpoint, handle } of routes.filter(({ endpoint }) => endpoint.method !== "GET")) {
    const outcome = await handle({} as never, {} as never).catch((error: { code: string }) => error.code);
    if (outcome === "done") allowed.push(endpoint.id);
    else expect([outcome, endpoint.sudo]).toEqual(["not_in_demo", undefined]);
  }
  expect(allowed.toSorted()).toEqual([
    "console.sign_in",
    "console.sign_in.code",
    "console.sign_in.passkey",
    "console.sign_in.passkey.start",
    "console.sign_out",
    "console.sudo",
  ]);
  expect(routes.length).toBeGreaterThan(allowed.length + 15);
});

test("what only reads stays as it is", () => {
  const reading = endpoints.filter(({ method }) => method === "GET").map((endpoint) => ({ endpoint, handle }));
  expect(refuseInDemo(reading)).toEqual(reading);
});
