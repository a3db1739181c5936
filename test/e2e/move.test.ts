import { afterAll, beforeAll, expect, setDefaultTimeout, test } from "bun:test";
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { inviteMember } from "#contract/console/account.ts";
import { setLogo } from "#contract/console/logo.ts";
import { signInWithCode } from "#contract/console/session.ts";
import { saveUtmTemplate } from "#contract/console/utm-templates.ts";
import { createWebhook, disableWebhook, listDeliveries } from "#contract/console/webhooks.ts";
import type { Link, LinkPage } from "#contract/link-record.ts";
import type { Domain, Share } from "#sdk/generated.ts";
import { verifyWebhook } from "#sdk/webhook.ts";
import { clickOnce, settledCounts } from "#test/support/click-counts.ts";
import { type ConsoleClient, makeToken, OWNER_EMAIL, startConsole } from "#test/support/console-client.ts";
import { startDnsServer } from "#test/support/dns-server.ts";
import { type KurzServer, runKurz, startKurz } from "#test/support/kurz-server.ts";
import { LinkApi } from "#test/support/link-api.ts";
import { solidPng } from "#test/support/pictures.ts";
import { sharedPostgres } from "#test/support/postgres-server.ts";
import { addApp } from "#test/support/totp.ts";
import { until } from "#test/support/until.ts";
import { visit } from "#test/support/visit.ts";
import { loopbackWebhooks, type Receiver, startReceiver } from "#test/support/webhook-receiver.ts";

setDefaultTimeout(600_000);

const CLICKS = 5;
const OWN_DOMAIN = "go.acme.example";
/** Work in progress, and what needs a browser; records are compared table by table in the conformance suite. */
const MAY_BE_EMPTY = [
  "click_erasures",
  "link_count_runs",
  "click_positions",
  "passkeys",
  "tag_changes",
  "verifications",
];
const dns = await startDnsServer();
const env = {
  ...loopbackWebhooks,
  KURZ_DNS_SERVERS: dns.address,
  KURZ_SIGNUP: "open",
  KURZ_REDIRECT_PROCESSES: "1",
  KURZ_RATE_LIMIT_PER_MINUTE: "0",
};
const root = mkdtempSync(join(tmpdir(), "kurz-move-"));
const dataDir = join(root, "data");
const file = join(root, "next.env");

interface Answer {
  readonly status: number;
  readonly text: string;
}

/** What a deployment says, by path. */
type Answers = Readonly<Record<string, Answer>>;

let receivers: readonly [Receiver, Receiver];
let server: KurzServer;
let databaseUrl: string;
let secretKey: string;

beforeAll(async () => {
  receivers = [startReceiver(), startReceiver()];
  receivers[1].answerWith(() => new Response("not \0 now\n\ud83e\udd16", { status: 500 }));
  const postgres = await sharedPostgres();
  databaseUrl = postgres.urlOf(await postgres.newDatabase());
});
afterAll(async () => {
  await server.stop();
  await Promise.all(receivers.map((receiver) => receiver.stop()));
  dns.stop();
  rmSync(root, { recursive: true });
});

const move = (...options: string[]) =>
  runKurz(["move", "--to", file, ...options, "--json"], { ...env, KURZ_DATA_DIR: dataDir });

test("a deployment that was moved to PostgreSQL answers as before", async () => {
  const console = await startConsole(env, { dataDir });
  server = console.server;
  const { owner } = console;
  const people = await fillPeople(console);
  const token = await server.newToken(owner.account);
  const api = new LinkApi(server.url, token);
  const links = await fillLinks(api);
  await fillDomain(api);
  const limited = await fillLimited(api);
  const report = await fillReport(api, links[0]?.id ?? "");
  await fillImport(owner);
  const webhook = await fillWebhooks(owner, api);
  for (let click = 0; click < CLICKS; click += 1) await clickOnce(`${server.url}/${links[0]?.slug}`);
  await settledCounts(api, links[0]?.id ?? "", CLICKS);
  const created = await createOnce(api);

  // The key of a deployment that never set one is in its data directory.
  secretKey = (await Bun.file(join(dataDir, "secret.key")).text()).trim();
  writeFileSync(
    file,
    `# the new deployment\nDATABASE_URL=${databaseUrl}\nKURZ_SECRET_KEY="another key, which is long enough"\n`,
  );
  expect((await move()).stderr).toContain(`KURZ_SECRET_KEY must be the content of ${join(dataDir, "secret.key")}`);
  writeFileSync(file, `# the new deployment\nDATABASE_URL=${databaseUrl}\nKURZ_SECRET_KEY="${secretKey}"\n`);
  // A running server has its clicks to itself.
  const settings = readFileSync(file, "utf8");
  const withClicks = `${settings}CLICKHOUSE_URL=http://127.0.0.1:1/kurz\n`;
  writeFileSync(file, withClicks);
  expect(JSON.parse((await move()).stdout)).toMatchObject({ is_final: false, clicks_in: null, clicks: null });
  // The guard knows where they belong, and that they aren't there yet.
  const noted = { clicks_to: 'ClickHouse at 127.0.0.1:1, database "kurz"', is_complete: false };
  expect(await Bun.file(join(dataDir, "moved.json")).json()).toMatchObject(noted);

  writeFileSync(file, settings);
  const first = await move();
  expect([first.code, first.stderr]).toEqual([0, expect.stringContaining("comparing copied records")]);
  expect(JSON.parse(first.stdout)).toMatchObject({ is_final: false, clicks_in: dataDir });

  await api.create({ slug: "after-the-first-move", title: "Late" });
  await untilDelivered(owner, webhook.id);
  const asker = { api, owner, webhook, cursor: await firstCursor(api) };
  const before = await ask(asker);
  const visits = await visitAll(server, before);
  await server.stop();
  // A start with the new settings would lose that link, and what a server does after a move that was meant to be the last.
  const next = { ...env, DATABASE_URL: databaseUrl, KURZ_SECRET_KEY: secretKey };
  await refusesToSwitch(next);
  expect(JSON.parse((await move()).stdout)).toMatchObject({ is_final: true });
  server = await startKurz({ env, dataDir, port: server.port });
  await server.stop();
  await refusesToSwitch(next);
  writeFileSync(file, withClicks);
  const unreachable = await move();
  expect([unreachable.code, unreachable.stdout]).toEqual([1, ""]);
  expect(unreachable.stderr).toContain('ClickHouse at 127.0.0.1:1, database "kurz"');
  writeFileSync(file, settings);
  const last = await move();
  expect(last.code).toBe(0);
  const { is_final, tables } = JSON.parse(last.stdout) as {
    is_final: boolean;
    tables: { name: string; rows: number }[];
  };
  expect(is_final).toBe(true);
  const empty = tables.filter(({ rows }) => rows === 0).map(({ name }) => name);
  expect(MAY_BE_EMPTY).toEqual(expect.arrayContaining(empty));

  server = await startKurz({ env: next, dataDir, port: server.port });
  // As a balancer waits: on a busy machine, connecting may take longer than a visitor waits.
  await until("it is ready", async () => (await fetch(`${server.url}/readyz`)).status === 200);
  expect(await visitAll(server, before)).toEqual(visits);
  expect(await ask(asker)).toEqual(before);
  expect(Object.values(before).filter(({ status }) => status !== 200)).toEqual([]);

  expect((await console.guest().signIn(OWNER_EMAIL)).status).toBe(200);
  await signInWithBackupCode(console.guest(), people);
  expect(await createOnce(api)).toEqual(created);
  expect((await fetch(`${server.url}${report}`)).status).toBe(200);
  await goOn(api, links, webhook.secret);
  // The click before the move counts towards the limit.
  expect(await clickOnce(`${server.url}/${limited.slug}`)).toBe(302);
  expect(await clickOnce(`${server.url}/${limited.slug}`)).toBe(410);

  // A setting that got lost doesn't bring back the old records.
  await server.stop();
  for (const command of ["serve", "migrate"]) {
    const refused = await runKurz([command], { ...env, KURZ_DATA_DIR: dataDir, KURZ_PORT: String(server.port) });
    expect([refused.code, refused.stdout]).toEqual([1, ""]);
    expect(refused.stderr).toContain(`were moved to PostgreSQL at`);
    expect(refused.stderr).toContain("set DATABASE_URL, or, to give up what has changed there since, delete");
    expect(refused.stderr.trimEnd()).not.toContain("\n");
  }
});

async function refusesToSwitch(settings: Readonly<Record<string, string>>): Promise<void> {
  const location = { KURZ_DATA_DIR: dataDir, KURZ_PORT: String(server.port) };
  const { code, stdout, stderr } = await runKurz(["serve"], { ...settings, ...location });
  expect([code, stdout]).toEqual([1, ""]);
  expect(stderr).toContain(`the records in ${dataDir} aren't all in PostgreSQL at`);
  expect(stderr).toContain("run kurz move again with the old settings while no server is running");
}

type Console = Awaited<ReturnType<typeof startConsole>>;

/** Members, an invitation, a session of each, an authenticator app, a token, a logo and a template. */
async function fillPeople({ owner, newMember, newOwner }: Console): Promise<{ email: string; code: string }> {
  const member = await newMember("member");
  const { backup_codes } = await addApp(member);
  await newOwner();
  await owner.do(inviteMember, { body: { email: "later@example.com", role: "viewer" } });
  await makeToken(owner);
  await owner.do(setLogo, { body: { png: solidPng(64, 64, [122, 10, 60, 255]).toString("base64") } });
  await owner.do(saveUtmTemplate, { body: { name: "Newsletter", utm: { utm_source: "newsletter" } } });
  return { email: member.email, code: backup_codes[0] ?? "" };
}

/** Links of every state, with texts that are hard to store and to find. */
async function fillLinks(api: LinkApi): Promise<readonly Link[]> {
  const titles = [
    "Plain",
    "Größe 50 % _x_",
    "日本語 タイトル",
    "a\\b\\N \\. 'q' \"Q\"",
    "👩‍👩‍👧 \u{10ffff}",
    "İstanbul ﬁ",
  ];
  const links: Link[] = [];
  for (const [place, title] of titles.entries()) {
    links.push(
      await api.create({
        title,
        tags: ["All", `Tag ${place % 2}`],
        destination_url: `https://example.com/${place}?a=b%00`,
      }),
    );
  }
  const [, paused, archived, blocked, expired, deleted] = links as [Link, Link, Link, Link, Link, Link];
  await api.act(paused.id, "pause");
  await api.act(archived.id, "archive");
  await api.update(expired.id, {
    utm: { utm_source: "news letter" },
    expires_at: new Date(Date.now() + 3_600_000).toISOString(),
  });
  await api.delete(deleted.id);
  const { code } = await server.kurz(["links", "block", blocked.slug, "--reason", "phishing"]);
  expect(code).toBe(0);
  return links.slice(0, 5);
}

/** A verified domain, and a link on it with a slug that another one has elsewhere. */
async function fillDomain(api: LinkApi): Promise<void> {
  const created = await api.ask("POST", "/domains", { name: OWN_DOMAIN });
  expect(created.status).toBe(201);
  const { id, verification } = (await created.json()) as Domain;
  dns.set(verification.name, verification.value);
  const verified = await api.ask("POST", `/domains/${id}/verify`);
  expect(await verified.json()).toMatchObject({ name: OWN_DOMAIN, status: "verified" });
  await api.create({ slug: "twin", destination_url: "https://example.com/ours" });
  await api.create({
    slug: "twin",
    domain: OWN_DOMAIN,
    destination_url: "https://example.com/theirs",
    rules: [{ name: "all", destination_url: "https://example.com/ruled" }],
    redirect_status: 307,
    external_id: "crm-1",
    notes: "First line\nsecond 👩‍👩‍👧",
  });
  await api.create({ slug: "secret", password: "open sesame" });
}

/** A link that may be opened twice, and was once. */
async function fillLimited(api: LinkApi): Promise<Link> {
  const limited = await api.create({ slug: "limited", max_clicks: 2 });
  expect(await clickOnce(`${server.url}/${limited.slug}`)).toBe(302);
  await settledCounts(api, limited.id, 1);
  return limited;
}

/** A tag with a color, and a public report. */
async function fillReport(api: LinkApi, linkId: string): Promise<string> {
  expect((await api.ask("PATCH", "/tags/all", { color: "green" })).status).toBe(200);
  const shared = await api.ask("POST", `/links/${linkId}/share`, {});
  expect(shared.status).toBe(201);
  return new URL(((await shared.json()) as Share).url).pathname;
}

async function fillImport({ account }: ConsoleClient): Promise<void> {
  const csv = join(root, "links.csv");
  writeFileSync(csv, "slug,destination_url\nmoved-in,https://example.com/moved-in\n");
  const args = ["import", "csv", csv, "--account", account, "--json"];
  const { stdout } = await runKurz(args, { ...env, KURZ_DATA_DIR: dataDir });
  expect(JSON.parse(stdout)).toMatchObject({ state: "done", links: { created: 1 } });
}

/** One endpoint that receives, one that fails, and one that is disabled. */
async function fillWebhooks(owner: ConsoleClient, api: LinkApi): Promise<{ id: string; secret: string }> {
  const [good, bad] = receivers;
  const events = ["link.created", "link.updated"];
  const received = await owner.do(createWebhook, { body: { url: good.url, events, description: "Good" } });
  await owner.do(createWebhook, { body: { url: bad.url, events } });
  const other = await owner.do(createWebhook, { body: { url: "https://hooks.example/kurz", events } });
  await owner.do(disableWebhook, { params: { id: other.id } });
  await api.create({ slug: "announced" });
  await until("both receivers were called", () => good.hits.length > 0 && bad.hits.length > 0);
  return received;
}

/** The list of deliveries doesn't change from then on. */
const untilDelivered = (owner: ConsoleClient, id: string): Promise<unknown> =>
  until(
    "every delivery is logged",
    async () => (await owner.do(listDeliveries, { params: { id } })).data.every(({ state }) => state === "delivered"),
    60_000,
  );

/** The same call and key, so the same link. */
async function createOnce(api: LinkApi): Promise<Answer> {
  const body = { destination_url: "https://example.com/once", slug: "once" };
  const response = await api.ask("POST", "/links", body, { "idempotency-key": "just-once" });
  return { status: response.status, text: await response.text() };
}

interface Asker {
  readonly api: LinkApi;
  readonly owner: ConsoleClient;
  readonly webhook: { readonly id: string };
  /** Of the second page of links, from before the move. */
  readonly cursor: string;
}

async function firstCursor(api: LinkApi): Promise<string> {
  const page = (await (await api.ask("GET", "/links?limit=2")).json()) as LinkPage;
  return page.next_cursor ?? "";
}

const dayOf = (ms: number): string => new Date(ms).toISOString().slice(0, 10);
// The same for both deployments, whenever they are asked.
const range = `from=${dayOf(Date.now() - 86_400_000 * 3)}&to=${dayOf(Date.now())}`;

/** Reads everything there is to read. Times at which something was last used are of the reading itself. */
async function ask({ api, owner, webhook, cursor }: Asker): Promise<Answers> {
  const lists = [
    "",
    "&state=all",
    "&state=archived",
    "&sort=-click_count",
    "&sort=-updated_at&state=all",
    "&tag=tag%201",
  ];
  const searches = ["gr%C3%B6%C3%9Fe", "50%20%25", "%E6%97%A5%E6%9C%AC%E8%AA%9E", "a%5Cb", "example.com"].map(
    (q) => `&q=${q}&state=all`,
  );
  const ids = (await api.list()).map(({ id }) => id);
  const ofApi = [
    "/me",
    "/domains",
    "/tags",
    "/shares",
    `/links?limit=100&cursor=${cursor}`,
    ...[...lists, ...searches].map((query) => `/links?limit=100${query}`),
    ...ids.flatMap((id) =>
      ["", "/qr?format=svg", `/analytics?${range}`, "/history"].map((part) => `/links/${id}${part}`),
    ),
    `/analytics?${range}&group_by=link&group_by=tag&group_by=country`,
  ];
  const answers: Record<string, Answer> = {};
  for (const path of ofApi) answers[path] = await answerOf(await api.ask("GET", path));
  const ofConsole = [
    ...[
      "account",
      "account/logo",
      "members",
      "tokens",
      "audit",
      "tags",
      "utm-templates",
      "user/sessions",
      "user/passkeys",
      "webhooks",
    ],
    ...[`webhooks/${webhook.id}`, `webhooks/${webhook.id}/waiting`, `webhooks/${webhook.id}/deliveries`],
    ...["csv", "json"].map((format) => `export/links?format=${format}&account=${owner.account}`),
  ];
  const headers = { "kurz-account": owner.account };
  const read = async (path: string) => {
    answers[path] = await answerOf(await owner.request("GET", `/console/api/${path}`, { headers }));
  };
  for (const path of ofConsole) await read(path);
  const deliveries = JSON.parse(answers[`webhooks/${webhook.id}/deliveries`]?.text ?? "") as { data: { id: string }[] };
  for (const { id } of deliveries.data) await read(`deliveries/${id}`);
  return answers;
}

const answerOf = async (response: Response): Promise<Answer> => {
  const bytes = Buffer.from(await response.arrayBuffer());
  const text = response.headers.get("content-type")?.startsWith("image/png") ? bytes.toString("hex") : bytes.toString();
  // Cursors are encrypted, so the same place is another text each time.
  const stable = text
    .replaceAll(/"last_(?:used|active)_at":"[^"]*"/g, '"last":"…"')
    .replaceAll(/"previous_cursor":"[^"]*"/g, '"previous_cursor":"…"');
  return { status: response.status, text: stable };
};

/** Where each link leads, deleted ones included. */
async function visitAll(to: KurzServer, answers: Answers): Promise<unknown> {
  const { data } = JSON.parse(answers["/links?limit=100&state=all"]?.text ?? "") as { data: Link[] };
  const slugs = [...data.map(({ slug }) => slug), "announced", "after-the-first-move", "never-there"];
  const { host: ours } = new URL(to.url);
  const visits = await Promise.all(
    [ours, OWN_DOMAIN].flatMap((host) =>
      slugs.map(async (slug) => {
        const { status, location } = await visit(to, `/${slug}`, { method: "HEAD", headers: { host } });
        return { host, slug, status, location };
      }),
    ),
  );
  expect(visits).toContainEqual({ host: ours, slug: "twin", status: 302, location: "https://example.com/ours" });
  expect(visits).toContainEqual({ host: OWN_DOMAIN, slug: "twin", status: 307, location: "https://example.com/ruled" });
  return visits;
}

async function signInWithBackupCode(
  guest: ConsoleClient,
  { email, code }: { email: string; code: string },
): Promise<void> {
  expect((await guest.signIn(email)).body).toEqual({ second_factor: true });
  await guest.do(signInWithCode, { body: { code } });
  expect((await guest.state()).session?.user.email).toBe(email);
}

/** New links, changes, clicks and deliveries, as if nothing had happened. */
async function goOn(api: LinkApi, links: readonly Link[], secret: string): Promise<void> {
  const [first] = links as [Link];
  expect(await clickOnce(`${server.url}/${first.slug}`)).toBe(302);
  expect(await settledCounts(api, first.id, CLICKS + 1)).toEqual({ counter: CLICKS + 1, report: CLICKS + 1 });
  await api.act(first.id, "pause");
  expect((await visit(server, `/${first.slug}`)).status).not.toBe(302);
  const [good] = receivers;
  const earlier = good.hits.length;
  const { id } = await api.create({ slug: "after-the-switch", title: "After the switch" });
  const find = () => good.hits.slice(earlier).find(({ body }) => body.includes(id));
  await until("the receiver is called", () => find() !== undefined);
  const { body, headers } = find() ?? {};
  expect(await verifyWebhook(body ?? "", headers ?? new Headers(), secret)).toBeDefined();
  expect((await api.list()).map(({ slug }) => slug)).toContain("after-the-switch");
}
