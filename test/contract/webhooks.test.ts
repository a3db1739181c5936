import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from "bun:test";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { type WebhookEvent, webhookEvents } from "#contract/webhooks.ts";
import { type Api, newLink, smallPlans, startApi } from "#test/support/api-client.ts";
import type { CommandResult } from "#test/support/kurz-server.ts";
import { makeTestCa } from "#test/support/test-ca.ts";
import { until } from "#test/support/until.ts";
import { type Hit, payloadOf, type Receiver, startReceiver } from "#test/support/webhook-receiver.ts";
import { acceptedBy, allVerifiers } from "#test/support/webhook-verifiers.ts";

const BROWSER = "Mozilla/5.0 (X11; Linux x86_64) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/130.0.0.0 Safari/537.36";

const ca = makeTestCa();
const directory = mkdtempSync(join(tmpdir(), "kurz-webhooks-"));
let api: Api;
let receiver: Receiver;

beforeAll(async () => {
  const caFile = join(directory, "ca.pem");
  writeFileSync(caFile, ca.ca);
  api = await startApi({
    ...smallPlans,
    KURZ_WEBHOOK_ALLOW_CIDRS: "127.0.0.0/8,::1/128",
    KURZ_WEBHOOK_ALLOW_INSECURE: "1",
    NODE_EXTRA_CA_CERTS: caFile,
  });
});
afterAll(async () => {
  await api.stop();
  rmSync(directory, { recursive: true });
});
beforeEach(() => {
  receiver = startReceiver();
});
afterEach(() => receiver.stop());

const kurz = (...args: string[]): Promise<CommandResult> => api.server.kurz(["webhooks", ...args]);

async function succeed(...args: string[]): Promise<string> {
  const { code, stdout, stderr } = await kurz(...args);
  expect({ args, code, stderr }).toEqual({ args, code: 0, stderr: "" });
  return stdout.trimEnd();
}

interface Shown {
  readonly id: string;
  readonly secret: string;
}

/** Without a process for the command line. */
const subscribe = (account: string, url = receiver.url, events?: string): Promise<Shown> =>
  api.operator.newEndpoint(account, url, events);

async function register(account: string): Promise<Shown> {
  const shown = JSON.parse(await succeed("create", "--account", account, "--url", receiver.url)) as Shown;
  api.operator.secrets.add(shown.secret);
  return shown;
}

async function hitNumber(count: number): Promise<Hit> {
  await until(`${count} deliveries`, () => receiver.hits.length >= count);
  return receiver.hits[count - 1] as Hit;
}

describe("a delivery", () => {
  test("verifies with three independent libraries and our own, but only with its own secret", async () => {
    const { account, kurz: sdk } = await api.newCaller();
    const { secret } = await subscribe(account);
    await newLink(sdk, { title: 'Grüße 👋🏽 "quoted" \\ é e\u0301', tags: ["日本語"] });
    const hit = await hitNumber(1);
    expect(payloadOf(hit)).toMatchObject({ type: "link.created", account_id: account });
    expect(await acceptedBy(hit, secret)).toEqual(allVerifiers);
    const { secret: foreign } = await subscribe(account);
    expect(await acceptedBy(hit, foreign)).toEqual([]);
    const tampered = Buffer.from(hit.body);
    tampered[tampered.length - 3] = (tampered[tampered.length - 3] ?? 0) ^ 1;
    expect(await acceptedBy({ body: tampered, headers: hit.headers }, secret)).toEqual([]);
    const late = new Headers(hit.headers);
    const t = Number(hit.headers.get("webhook-timestamp")) - 300;
    late.set("service-signature", hit.headers.get("service-signature")?.replace(/^t=\d+/, `t=${t}`) ?? "");
    late.set("webhook-timestamp", String(t));
    expect(await acceptedBy({ body: hit.body, headers: late }, secret)).toEqual([]);
  });

  test("is sent over TLS to a receiver with a valid certificate", async () => {
    const { account, kurz: sdk } = await api.newCaller();
    const secure = startReceiver({ tls: ca.issue("DNS:localhost,IP:127.0.0.1") });
    const { id, secret } = await subscribe(account, secure.url.replace("127.0.0.1", "localhost"));
    await newLink(sdk, { title: "🔒" });
    await until("it arrives", () => secure.hits.length > 0);
    expect(await acceptedBy(secure.hits[0] as Hit, secret)).toEqual(allVerifiers);
    await secure.stop();
    expect(await succeed("delete", id)).toContain(id);
  });

  test("is sent for each kind of change, with the documented body", async () => {
    const { account, kurz: sdk } = await api.newCaller();
    await subscribe(account);
    const { id, slug } = await newLink(sdk);
    await sdk.links.update(id, { title: "New" });
    for (const action of ["pause", "resume", "archive", "unarchive"] as const) await sdk.links[action](id);
    await api.operator.block(slug);
    await sdk.links.delete(id);
    await sdk.links.restore(id);
    await hitNumber(9);
    const types = receiver.hits.map(({ event }) => event);
    expect(types.toSorted()).toEqual(
      ["archived", "blocked", "created", "deleted", "paused", "restored", "resumed", "unarchived", "updated"].map(
        (word) => `link.${word}`,
      ),
    );
    for (const hit of receiver.hits) {
      const { payload } = webhookEvents[hit.event as WebhookEvent];
      expect(payload.parse(payloadOf(hit)).data).toMatchObject({ link: { id } });
    }
    const versions = receiver.hits.map(
      (hit) => payloadOf<{ data: { link: { version: number } } }>(hit).data.link.version,
    );
    expect(versions.toSorted()).toEqual([1, 2, 3, 4, 5, 6, 7, 8, 9]);
  });

  test("is sent for clicks by people, if subscribed", async () => {
    const { account, kurz: sdk } = await api.newCaller();
    await subscribe(account, receiver.url, "link.clicked");
    const { slug, id } = await newLink(sdk);
    for (const agent of [BROWSER, "curl/8.0", BROWSER]) {
      await fetch(`${api.server.url}/${slug}`, { redirect: "manual", headers: { "user-agent": agent } });
    }
    const clicks = () =>
      receiver.hits.flatMap(
        (hit) => payloadOf<{ data: { clicks: { id: string; link: { id: string } }[] } }>(hit).data.clicks,
      );
    await until("both clicks arrive", () => clicks().length >= 2);
    expect(clicks()).toHaveLength(2);
    expect(new Set(clicks().map((click) => click.id)).size).toBe(2);
    expect(clicks()[0]).toMatchObject({ browser: "Chrome", source: "link", link: { id, slug } });
    expect(receiver.hits.every(({ event }) => event === "link.clicked")).toBe(true);
  });
});

describe("rotating the secret", () => {
  test("keeps both secrets valid during the overlap, and only the new one without it", async () => {
    const { account, kurz: sdk } = await api.newCaller();
    const { id, secret } = await subscribe(account);
    const rotated = JSON.parse(await succeed("rotate", id)) as Shown;
    api.operator.secrets.add(rotated.secret);
    await newLink(sdk);
    const both = await hitNumber(1);
    expect(await acceptedBy(both, secret)).toEqual(allVerifiers);
    expect(await acceptedBy(both, rotated.secret)).toEqual(allVerifiers);
    const last = JSON.parse(await succeed("rotate", id, "--no-overlap")) as Shown;
    api.operator.secrets.add(last.secret);
    await newLink(sdk);
    const only = await hitNumber(2);
    expect(await acceptedBy(only, last.secret)).toEqual(allVerifiers);
    expect(await acceptedBy(only, rotated.secret)).toEqual([]);
  });
});

describe("the commands", () => {
  test("create prints only the id and the secret, and counts against the plan", async () => {
    const { account, token } = await api.newCaller({ plan: "trio" });
    const shown = await register(account);
    expect(Object.keys(shown)).toEqual(["id", "secret"]);
    expect(shown.id).toMatch(/^we_[0-9a-z]{26}$/);
    expect(shown.secret).toMatch(/^whsec_/);
    const { json } = await api.call({ path: "/api/v1/me", token });
    expect(json).toMatchObject({ plan: { features: { webhook_endpoints: { limit: 1, used: 1 } } } });
    const refused = await kurz("create", "--account", account, "--url", receiver.url);
    expect(refused).toMatchObject({ code: 1, stdout: "" });
    expect(refused.stderr).toContain("allows 1 webhook endpoints");
  });

  test("create names the invalid field, and registers nothing", async () => {
    const { account } = await api.newCaller();
    for (const [args, message] of [
      [["--url", "hook.example"], "url:"],
      [["--url", "ftp://hook.example/"], "url:"],
      [
        ["--url", receiver.url, "--events", "link.create"],
        'events: There is no event "link.create"; did you mean link.created?',
      ],
      [["--url", receiver.url, "--events", ""], "--events"],
    ] as const) {
      const { code, stderr } = await kurz("create", "--account", account, ...args);
      expect([code > 0, stderr]).toEqual([true, expect.stringContaining(message)]);
    }
    expect(await succeed("list", "--account", account)).toBe("There are no webhook endpoints.");
    expect((await kurz("create", "--account", "acc_none", "--url", receiver.url)).stderr).toContain(
      'no account "acc_none"',
    );
    expect((await kurz("rotate", "we_none")).stderr).toContain('no webhook endpoint "we_none"');
    expect((await kurz("redeliver", "dlv_none")).stderr).toContain('no delivery "dlv_none"');
  });

  test("test sends one event and prints the outcome", async () => {
    const { account } = await api.newCaller();
    const { id, secret } = await subscribe(account, receiver.url, "link.deleted");
    expect(await succeed("test", id)).toMatch(/^The delivery dlv_\w+ succeeded: status 204 in \d+ ms\.$/);
    expect(await acceptedBy(receiver.hits[0] as Hit, secret)).toEqual(allVerifiers);
    receiver.answerWith(() => new Response("broken", { status: 500 }));
    const failed = await kurz("test", id);
    expect(failed).toMatchObject({ code: 1, stdout: expect.stringContaining("failed: status 500") });
  });

  test("deliveries and attempts show what was sent, and redeliver keeps the id", async () => {
    const { account, kurz: sdk } = await api.newCaller();
    const { id } = await subscribe(account);
    receiver.answerWith(() => new Response("no\u001b[31m", { status: 503 }));
    const from = new Date(Date.now() - 1000).toISOString();
    await newLink(sdk);
    const { delivery } = await hitNumber(1);
    const state = async () => (JSON.parse(await succeed("deliveries", id, "--json")) as { attempts: unknown[] }[])[0];
    await until("the attempt is logged", async () => ((await state())?.attempts.length ?? 0) > 0);
    expect(await state()).toMatchObject({ id: delivery, event: "link.created", state: "pending" });
    expect(await succeed("deliveries", id, "--state", "pending")).toContain("status 503");
    expect(await succeed("attempts", delivery)).toContain("no\\u{1b}[31m");
    receiver.answerWith(() => new Response(null, { status: 200 }));
    expect(await succeed("redeliver", delivery)).toContain(`${delivery} succeeded: status 200`);
    const again = receiver.hits.at(-1) as Hit;
    expect([again.delivery, again.body]).toEqual([delivery, receiver.hits[0]?.body as Buffer]);
    expect(await succeed("recover", id, "--since", from)).toBe("Resending 0 deliveries.");
  });

  test("disable, enable, update and delete do what they say", async () => {
    const { account, kurz: sdk } = await api.newCaller();
    const { id } = await subscribe(account);
    await succeed("disable", id);
    expect(await succeed("list", "--account", account)).toContain("disabled");
    await newLink(sdk);
    await succeed("enable", id);
    await succeed("update", id, "--events", "link.deleted", "--description", "Our CRM");
    const { id: link } = await newLink(sdk);
    await sdk.links.delete(link);
    expect((await hitNumber(1)).event).toBe("link.deleted");
    expect(JSON.parse(await succeed("list", "--account", account, "--json"))).toMatchObject([
      { id, events: ["link.deleted"], description: "Our CRM", enabled: true },
    ]);
    await succeed("delete", id);
    expect(await succeed("list", "--account", account)).toBe("There are no webhook endpoints.");
  });
});
