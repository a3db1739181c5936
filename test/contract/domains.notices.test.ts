import { afterAll, beforeAll, expect, test } from "bun:test";
import { createWebhook } from "#contract/console/webhooks.ts";
import type { Domain } from "#contract/domain-record.ts";
import { createDomain, getDomain, verifyDomain } from "#contract/domains.ts";
import { type WebhookEvent, webhookEvents } from "#contract/webhooks.ts";
import { type ConsoleClient, OWNER_EMAIL } from "#test/support/console-client.ts";
import { type ConsoleWithMail, startConsoleWithMail } from "#test/support/console-with-mail.ts";
import { type DnsServer, startDnsServer } from "#test/support/dns-server.ts";
import { newName } from "#test/support/domain-stage.ts";
import { until } from "#test/support/until.ts";
import { type Hit, loopbackWebhooks, payloadOf, type Receiver, startReceiver } from "#test/support/webhook-receiver.ts";
import { acceptedBy, allVerifiers } from "#test/support/webhook-verifiers.ts";

let dns: DnsServer;
let site: ConsoleWithMail;
const receivers: Receiver[] = [];

beforeAll(async () => {
  dns = await startDnsServer();
  site = await startConsoleWithMail({ ...loopbackWebhooks, KURZ_DNS_SERVERS: dns.address });
});
afterAll(async () => {
  await site?.stop();
  dns?.stop();
  await Promise.all(receivers.map((receiver) => receiver.stop()));
});

interface Listener {
  readonly hits: readonly Hit[];
  readonly secret: string;
}

/** A receiver for the account's events about domains. */
async function listen(person: ConsoleClient): Promise<Listener> {
  const receiver = startReceiver();
  receivers.push(receiver);
  const body = { url: receiver.url, events: ["domain.verified", "domain.lost"] };
  const { secret } = await person.do(createWebhook, { body });
  return { hits: receiver.hits, secret };
}

const claim = (person: ConsoleClient, name: string) => person.do(createDomain, { body: { name } });
const verify = (person: ConsoleClient, id: string) => person.do(verifyDomain, { params: { id } });
const stateOf = (person: ConsoleClient, id: string) => person.do(getDomain, { params: { id } });

const mailsAbout = (name: string) => site.mails.filter(({ text }) => text.includes(`no longer holds ${name}`));
const recipientsOf = (mails: ReturnType<typeof mailsAbout>): string[] => mails.flatMap(({ to }) => to).sort();

/** As events have it. */
const summaryOf = ({ app_links: _, ...summary }: Domain) => summary;

/** Waits for so many deliveries; checks signature and outline of the last, and returns its domain. */
async function delivery({ hits, secret }: Listener, count: number, event: WebhookEvent): Promise<unknown> {
  await until(`delivery ${count}, of ${event}`, () => hits.length >= count);
  const hit = hits[count - 1] as Hit;
  expect([hit.event, await acceptedBy(hit, secret)]).toEqual([event, allVerifiers]);
  const { data } = webhookEvents[event].payload.parse(payloadOf(hit)) as { data: { domain: unknown } };
  return data.domain;
}

test("a takeover is delivered to both accounts as an event, and mailed to the owners who lost the domain", async () => {
  const { owner: holder } = site;
  const [second, admin] = [await site.newMember("owner"), await site.newMember("admin")];
  const taker = await site.newOwner();
  const [ofHolder, ofTaker] = [await listen(holder), await listen(taker)];
  const name = newName();

  const held = await claim(holder, name);
  dns.set(held.verification.name, held.verification.value);
  const verified = await verify(holder, held.id);
  expect(await delivery(ofHolder, 1, "domain.verified")).toEqual(summaryOf(verified));

  // Neither a look-up that finds nothing new nor a claim that can't be met is an event.
  await verify(holder, held.id);
  const claimed = await claim(taker, name);
  dns.set(held.verification.name, held.verification.value, claimed.verification.value);
  expect((await verify(taker, claimed.id)).status).toBe("pending");

  dns.set(claimed.verification.name, claimed.verification.value);
  const taken = await verify(taker, claimed.id);
  expect(taken.status).toBe("verified");
  expect(await delivery(ofTaker, 1, "domain.verified")).toEqual(summaryOf(taken));
  const lost = await stateOf(holder, held.id);
  expect(lost.status).toBe("lost");
  expect(await delivery(ofHolder, 2, "domain.lost")).toEqual(summaryOf(lost));

  await until("the owners have their mails", () => mailsAbout(name).length >= 2);
  // One more would have arrived before this one, which is sent later.
  await site.askForReset(admin.email);
  const mails = mailsAbout(name);
  expect(recipientsOf(mails)).toEqual([OWNER_EMAIL, second.email].sort());
  for (const { text } of mails) {
    expect(text).toContain(`Subject: Acme no longer holds ${name}`);
    expect(text).toContain(`Another account proved that it owns ${name}`);
    expect(text).toContain(`_kurz.${name}`);
    // Nothing about who took it.
    expect(text).not.toContain(taker.email);
  }
  expect([ofHolder.hits.length, ofTaker.hits.length]).toEqual([2, 1]);
});

test("whoever gets the name back gets the event again, and the other account's owner the mail", async () => {
  const [first, second] = [await site.newOwner(), await site.newOwner()];
  const [ofFirst, ofSecond] = [await listen(first), await listen(second)];
  const name = newName();
  const claims = [await claim(first, name), await claim(second, name)] as const;
  for (const [index, person] of [first, second, first].entries()) {
    const { id, verification } = claims[index % 2] as (typeof claims)[number];
    dns.set(verification.name, verification.value);
    expect((await verify(person, id)).status).toBe("verified");
  }
  const eventsOf = ({ hits }: Listener) => hits.map(({ event }) => event);
  await until("all events are delivered", () => ofFirst.hits.length + ofSecond.hits.length >= 5);
  expect(eventsOf(ofFirst).sort()).toEqual(["domain.lost", "domain.verified", "domain.verified"]);
  expect(eventsOf(ofSecond).sort()).toEqual(["domain.lost", "domain.verified"]);
  await until("both have a mail", () => mailsAbout(name).length >= 2);
  expect(recipientsOf(mailsAbout(name))).toEqual([first.email, second.email].sort());
});

test("who loses a domain because the operator gives it away is told so, and not that anyone proved anything", async () => {
  const [holder, taker] = [await site.newOwner(), await site.newOwner()];
  const name = newName();
  const { id, verification } = await claim(holder, name);
  dns.set(verification.name, verification.value);
  await verify(holder, id);
  const args = ["domains", "add", "--account", taker.account, "--name", name, "--verified", "--take-over"];
  expect(await site.server.kurz(args)).toMatchObject({ code: 0, stderr: "" });
  await until("the owner has a mail", () => mailsAbout(name).length > 0);
  const [mail] = mailsAbout(name);
  expect(mail?.to).toEqual([holder.email]);
  expect(mail?.text).toContain(`The operator gave ${name} to another account.`);
  expect(mail?.text).not.toContain("proved");
});
