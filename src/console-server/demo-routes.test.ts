import { expect, test } from "bun:test";
import * as account from "#contract/console/account.ts";
import * as links from "#contract/console/links.ts";
import * as logo from "#contract/console/logo.ts";
import * as qrDesign from "#contract/console/qr-design.ts";
import * as session from "#contract/console/session.ts";
import * as user from "#contract/console/user.ts";
import * as utmTemplates from "#contract/console/utm-templates.ts";
import * as webhooks from "#contract/console/webhooks.ts";
import type { Endpoint } from "#contract/endpoint.ts";
import { releasedEndpoints } from "#contract/index.ts";
import type { Route } from "#http/route.ts";
import { refuseInDemo } from "./demo-routes.ts";

const isEndpoint = (value: unknown): value is Endpoint =>
  typeof value === "object" && value !== null && "method" in value && "path" in value;

const ownEndpoints = [account, links, logo, qrDesign, session, user, utmTemplates, webhooks].flatMap((definitions) =>
  Object.values(definitions as object).filter(isEndpoint),
);
const endpoints = [...ownEndpoints, ...releasedEndpoints];
const handle: Route["handle"] = async () => "done";

test("people in a demo can change their session, links, QR codes and webhooks, and nothing else they share", async () => {
  const routes = refuseInDemo(endpoints.map((endpoint) => ({ endpoint, handle })));
  const allowed: string[] = [];
  for (const { endpoint, handle } of routes.filter(({ endpoint }) => endpoint.method !== "GET")) {
    const outcome = await handle({} as never, {} as never).catch((error: { code: string }) => error.code);
    if (outcome === "done") allowed.push(endpoint.id);
    else expect([outcome, endpoint.sudo?.required]).toEqual(["not_in_demo", false]);
  }
  expect(allowed.toSorted()).toEqual([
    "console.deliveries.redeliver",
    "console.links.act",
    "console.links.resolve",
    "console.links.tag",
    "console.qr_design.set",
    "console.sign_in",
    "console.sign_in.code",
    "console.sign_in.passkey",
    "console.sign_in.passkey.start",
    "console.sign_out",
    "console.sudo",
    "console.utm_templates.delete",
    "console.utm_templates.save",
    "console.webhooks.create",
    "console.webhooks.delete",
    "console.webhooks.disable",
    "console.webhooks.enable",
    "console.webhooks.recover",
    "console.webhooks.rotate",
    "console.webhooks.test",
    "console.webhooks.update",
    "links.archive",
    "links.bulk",
    "links.create",
    "links.delete",
    "links.pause",
    "links.resolve",
    "links.restore",
    "links.resume",
    "links.revert",
    "links.share",
    "links.tags",
    "links.unarchive",
    "links.update",
    "links.upsert",
    "shares.revoke",
    "tags.delete",
    "tags.update",
  ]);
  expect(routes.length).toBeGreaterThan(allowed.length + 15);
});

test("read-only operations stay as they are", () => {
  const reading = endpoints.filter(({ method }) => method === "GET").map((endpoint) => ({ endpoint, handle }));
  expect(refuseInDemo(reading)).toEqual(reading);
});
