import { afterAll } from "bun:test";
import type { Page } from "playwright-core";
import { createWebhook } from "#contract/console/webhooks.ts";
import { createLink } from "#contract/links.ts";
import type { ConsoleClient } from "./console-client.ts";
import { openConsoleStage } from "./console-stage.ts";
import { loopbackWebhooks, type Receiver, startReceiver } from "./webhook-receiver.ts";

/** A server that may deliver to receivers on this machine, a browser, and receivers. */
export async function openWebhookStage() {
  const stage = await openConsoleStage(loopbackWebhooks);
  const receivers: Receiver[] = [];
  afterAll(() => Promise.all(receivers.map((receiver) => receiver.stop())));
  return {
    ...stage,
    newReceiver(): Receiver {
      const receiver = startReceiver();
      receivers.push(receiver);
      return receiver;
    },
  };
}

export const makeLink = (me: ConsoleClient, title = "A link") =>
  me.do(createLink, { body: { destination_url: "https://example.com/", title } });

export async function register(me: ConsoleClient, url: string): Promise<string> {
  return (await me.do(createWebhook, { body: { url, events: ["link.created"] } })).id;
}

export const deliveriesOn = (page: Page) => page.getByRole("list", { name: "Deliveries" }).getByRole("button");
