import { Database } from "bun:sqlite";
import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import { existsSync, mkdtempSync, readdirSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { dataPaths, snapshotFile } from "#config/data-paths.ts";
import { setUp } from "#contract/console/session.ts";
import type { Domain } from "#contract/domain-record.ts";
import type { Link } from "#contract/link-record.ts";
import { FORWARDED_HEADER, sealFacts } from "#kernel/forwarded-facts.ts";
import type { NodeFacts } from "#runtime/roll-call.ts";
import { keepSetUpCode } from "#sign-in/set-up-code.ts";
import { userAgents } from "#test/support/clicks.ts";
import { ConsoleClient, OWNER_EMAIL, onlyAccount, PASSWORD, setUpCodeOf } from "#test/support/console-client.ts";
import { forgeToken } from "#test/support/forged-token.ts";
import { freePort } from "#test/support/free-port.ts";
import { type KurzServer, runKurz, startKurz } from "#test/support/kurz-server.ts";
import { LinkApi } from "#test/support/link-api.ts";
import { type PostgresServer, startPostgres } from "#test/support/postgres-server.ts";
import { type RedisServer, startRedisServer } from "#test/support/redis-server.ts";
import { until } from "#test/support/until.ts";
import { visit } from "#test/support/visit.ts";
import { loopbackWebhooks, payloadOf, type Receiver, startReceiver } from "#test/support/webhook-receiver.ts";

const UNTIL_MS_MAX = 60_000;
const directory = mkdtempSync(join(tmpdir(), "kurz-roles-"));
const directoryOf = (node: string): string => join(directory, node);
const ports = { control: freePort(), redirect: freePort() };
const controlUrl = `http://127.0.0.1:${ports.control}`;

let postgres: PostgresServer;
let redis: RedisServer;
let database: string;
let receiver: Receiver;
let env: Record<string, string>;
let control: KurzServer;
let redirect: KurzServer;
/** Signed in through the node that only redirects. */
let owner: ConsoleClient;
/** Through the node that only redirects. */
let api: LinkApi;
/** At the node that serves the API. */
let directApi: LinkApi;

const startControl = () =>
  startKurz({
    dataDir: directoryOf("control"),
    port: ports.control,
    env: { ...env, KURZ_ROLES: "control", KURZ_NODE_ID: "control" },
  });
const startRedirect = (name: string, port: number, more: Readonly<Record<string, string>> = {}) =>
  startKurz({
    dataDir: directoryOf(name),
    port,
    env: { ...env, KURZ_ROLES: "redirect", KURZ_CONTROL_URL: controlUrl, KURZ_NODE_ID: name, ...more },
  });

beforeAll(async () => {
  [postgres, redis] = await Promise.all([startPostgres(), startRedisServer()]);
  receiver = startReceiver();
  database = await postgres.newDatabase();
  env = {
    DATABASE_URL: postgres.urlOf(database),
    REDIS_URL: redis.url,
    KURZ_SECRET_KEY: "a secret key for tests that all nodes share",
    KURZ_BASE_URL: controlUrl,
    KURZ_REDIRECT_PROCESSES: "1",
    KURZ_TRUST_PROXY: "1",
    KURZ_LOG_CLIENT_IP: "1",
    ...loopbackWebhooks,
  };
  // On an empty database and in empty directories, at once.
  [control, redirect] = await Promise.all([startControl(), startRedirect("redirect", ports.redirect)]);
}, 600_000);

afterAll(async () => {
  await Promise.all([control, redirect].map((node) => node?.stop()));
  await receiver.stop();
  await Promise.all([postgres.close(), redis.stop()]);
  rmSync(directory, { recursive: true, force: true });
}, 600_000);

const segmentsOf = (node: string): string[] => {
  const { journal } = dataPaths(directoryOf(node));
  return existsSync(journal) ? readdirSync(journal).filter((name) => name.endsWith(".log")) : [];
};

/** As a person. */
const click = (node: KurzServer, { slug }: Link) =>
  visit(node, `/${slug}`, { headers: { "user-agent": userAgents.firefox } });

const untilCounted = ({ id }: Link, clicks: number) =>
  until(`${clicks} clicks are counted`, async () => (await directApi.get(id)).click_count === clicks, UNTIL_MS_MAX);

/** Which a node that only redirects has served: it knows it, whatever is away. */
async function newKnownLink(): Promise<Link> {
  const link = await api.create();
  expect((await click(redirect, link)).location).toBe(link.destination_url);
  // Also if it is told of the creation only after the visit.
  await until("the node remembers it", () => isRemembered(link));
  return link;
}

function isRemembered({ slug }: Link): boolean {
  const path = snapshotFile(dataPaths(directoryOf("redirect")), 0);
  if (!existsSync(path)) return false;
  const snapshot = new Database(path, { readonly: true });
  try {
    return snapshot.query("select 1 from links where key = ?").get(slug) !== null;
  } finally {
    snapshot.close();
  }
}

describe("a node for the API and a node for redirects", () => {
  test("start at once on an empty database, and one of them asks for the first account", async () => {
    expect(redirect.output.stderr).not.toContain("/console/setup");
    expect(redirect.output.stderr).toContain("KURZ_ROLES=redirect");
    // Another node for the API, whichever is asked, knows the same code.
    const code = setUpCodeOf(control);
    expect(code).toBe(keepSetUpCode(join(directory, "setup.code"), env.KURZ_SECRET_KEY));
    owner = new ConsoleClient(redirect.url);
    await owner.do(setUp, { body: { code, email: OWNER_EMAIL, name: "Ada", account_name: "Ada", password: PASSWORD } });
    owner.account = await onlyAccount(owner);
    const token = await redirect.newToken(owner.account, { rateLimit: 100_000 });
    api = new LinkApi(redirect.url, token);
    directApi = new LinkApi(control.url, token);
  });

  test("answer API calls alike, with the address and the request id of the client", async () => {
    const link = await api.create({ title: "Grüße" });
    expect(await api.get(link.id)).toEqual(link);
    expect(await directApi.get(link.id)).toEqual(link);
    const answer = await api.ask("GET", "/me", undefined, { "x-forwarded-for": "203.0.113.9" });
    const requestId = answer.headers.get("x-request-id");
    const logged = (): Record<string, unknown> | undefined =>
      control.output.stdout
        .split("\n")
        .filter((line) => line.includes(`"${requestId}"`))
        .map((line) => JSON.parse(line))[0];
    await until("it is logged", () => logged() !== undefined);
    expect(logged()).toMatchObject({ client: "203.0.113.9", route: "me.get" });
  });

  test.each([
    ["GET", "/docs", {}, undefined],
    ["GET", "/console", {}, undefined],
    ["HEAD", "/api/v1/openapi.json", {}, undefined],
    ["GET", "/api/v1/openapi.json", { "accept-encoding": "gzip" }, undefined],
    ["GET", "/api/v1/nothing", {}, undefined],
    ["POST", "/api/v1/links", {}, "{}"],
    ["POST", "/api/v1/links", { authorization: "Bearer none" }, "{}"],
    ["POST", "/api/v1/links", { authorization: "a token" }, "x".repeat(2 << 20)],
  ] as const)("answer alike: %s %s %p", async (method, path, given, body) => {
    const headers = {
      ...given,
      ...("authorization" in given && given.authorization === "a token" && { authorization: api.authorization }),
    };
    const [there, here] = await Promise.all(
      [control, redirect].map(async ({ url }) => {
        const response = await fetch(url + path, { method, headers, ...(body !== undefined && { body }) });
        const names = ["content-type", "content-encoding", "cache-control", "content-security-policy", "etag"];
        const text = (await response.text()).replaceAll(/req_\w+/g, "");
        return { status: response.status, text, headers: names.map((name) => response.headers.get(name)) };
      }),
    );
    expect(here).toEqual(there as NonNullable<typeof there>);
  });

  test("limit clients by their own addresses, not by the node that forwards them", async () => {
    const statusOf = async (address: string, extra: Readonly<Record<string, string>> = {}): Promise<number> => {
      const headers = { authorization: `Bearer ${forgeToken()}`, "x-forwarded-for": address, ...extra };
      return (await fetch(`${redirect.url}/api/v1/me`, { headers })).status;
    };
    const guesses = await Promise.all(Array.from({ length: 40 }, () => statusOf("198.51.100.1")));
    expect(guesses).toContain(429);
    expect(await statusOf("198.51.100.2")).toBe(401);
    // What a client says is no matter: only a node can have said it.
    const headers = { authorization: `Bearer ${forgeToken()}`, "x-forwarded-for": "198.51.100.1" };
    const forged = { "kurz-forwarded": "eyJjbGllbnRBZGRyZXNzIjoiMS4yLjMuNCJ9.e30", "x-kurz-client": "1.2.3.4" };
    expect((await fetch(`${control.url}/api/v1/me`, { headers: { ...headers, ...forged } })).status).toBe(429);
  });

  test("don't forward a request that was forwarded before, and only what a node has sent is logged, once", async () => {
    const isSent = async (header: string): Promise<number> =>
      (await fetch(`${redirect.url}/api/v1/me`, { headers: { [FORWARDED_HEADER]: header } })).status;
    const facts = { clientAddress: "192.0.2.1", requestId: "req_1" };
    const linesOf = (): number => redirect.output.stderr.split("doesn't have the role control").length - 1;
    const forged = sealFacts("the key of someone else", facts, Date.now());
    expect(await Promise.all(Array.from({ length: 20 }, () => isSent(forged)))).toEqual(Array(20).fill(508));
    expect(linesOf()).toBe(0);
    const sealed = sealFacts(env.KURZ_SECRET_KEY ?? "", facts, Date.now());
    expect(await Promise.all(Array.from({ length: 20 }, () => isSent(sealed)))).toEqual(Array(20).fill(508));
    await until("it is logged", () => linesOf() > 0);
    expect(linesOf()).toBe(1);
  });

  test("serve what their role says", async () => {
    const link = await newKnownLink();
    expect((await visit(control, `/${link.slug}`)).status).toBe(421);
    expect((await visit(control, "/unknown")).status).toBe(421);
    for (const node of [control, redirect]) {
      expect((await visit(node, "/readyz")).status).toBe(200);
      expect((await visit(node, "/")).location).toBe("/console");
    }
    expect(segmentsOf("control")).toEqual([]);
    await untilCounted(link, 1);
  });

  test("clicks are counted, sent to webhooks and shown live at the other node", async () => {
    const link = await api.create();
    const args = ["--account", owner.account, "--url", receiver.url, "--events", "link.clicked"];
    expect((await control.kurz(["webhooks", "create", ...args])).code).toBe(0);
    const stream = await owner.request("GET", `/console/api/live?account=${owner.account}`);
    expect(stream.status).toBe(200);
    let seen = "";
    void (async () => {
      for await (const chunk of stream.body ?? []) seen += new TextDecoder().decode(chunk);
    })().catch(() => {});
    for (let n = 0; n < 3; n += 1) expect((await click(redirect, link)).status).toBe(302);
    await untilCounted(link, 3);
    // Clicks that other tests made a moment before may be among them.
    await until("they are shown", () => seen.split(link.id).length === 4, UNTIL_MS_MAX);
    const delivered = (): unknown[] =>
      receiver.hits
        .flatMap((hit) => payloadOf<{ data: { clicks: { link: Pick<Link, "id"> }[] } }>(hit).data.clicks)
        .filter((one) => one.link.id === link.id);
    await until("they are delivered", () => delivered().length === 3, UNTIL_MS_MAX);
  });

  test("a stream that its reader leaves ends at the other node, too", async () => {
    const statusOf = async (): Promise<number> => {
      const { status, body } = await owner.request("GET", `/console/api/live?account=${owner.account}`);
      await body?.cancel();
      return status;
    };
    // A session may have ten at once.
    for (let n = 0; n < 15; n += 1) await until("there is room", async () => (await statusOf()) === 200);
  });

  test("a pause at one stops the redirect at the other", async () => {
    const link = await newKnownLink();
    const statusOf = async (): Promise<number> => (await visit(redirect, `/${link.slug}`, { method: "HEAD" })).status;
    await directApi.act(link.id, "pause");
    await until("it has stopped", async () => (await statusOf()) === 404);
    await api.act(link.id, "resume");
    await until("it redirects", async () => (await statusOf()) === 302);
  });
});

const diagnose = async (node: KurzServer): Promise<string[]> =>
  JSON.parse((await node.kurz(["doctor", "--json"])).stdout)
    .findings.filter(({ check }: { check: string }) => check === "roles")
    .map(({ level, message }: { level: string; message: string }) => `${level} ${message}`);

describe("a node that leaves", () => {
  test("isn't ready first, still redirects, and takes no click with it", async () => {
    // As if a node of a later version had migrated the database: those of this one still start.
    await postgres.administer("insert into migrations values (9999, 'future', 0, 1)", database);
    const leaving = await startRedirect("leaving", freePort(), { KURZ_DRAIN_SECONDS: "600" });
    // Through Redis, which loses signals while it seems away on a busy machine.
    await until(
      "all nodes are listed",
      async () => {
        const { nodes } = JSON.parse((await leaving.kurz(["nodes", "list", "--json"])).stdout);
        return Bun.deepEquals(
          nodes.map(({ name, roles }: NodeFacts) => [name.split(".")[0], roles]),
          [
            ["control", ["control"]],
            ["leaving", ["redirect"]],
            ["redirect", ["redirect"]],
          ],
        );
      },
      UNTIL_MS_MAX,
    );
    const link = await api.create();
    for (let n = 0; n < 20; n += 1) expect((await click(leaving, link)).status).toBe(302);
    leaving.supervisor.kill("SIGTERM");
    await until("it isn't ready", async () => (await visit(leaving, "/readyz")).status === 503);
    const askedAt = performance.now();
    for (let n = 0; n < 30; n += 1) expect((await click(leaving, link)).status).toBe(302);
    expect((await fetch(`${leaving.url}/api/v1/openapi.json`)).status).toBe(200);
    // A second signal doesn't wait for the ten minutes, but everything else is in order. At once it would be a repetition.
    await until("it counts as another one", () => performance.now() - askedAt > 600);
    expect(await leaving.stop()).toBe(0);
    expect(leaving.output.stderr).toContain("all clicks of this node are stored; nothing is left in its journal");
    expect(segmentsOf("leaving")).toEqual([]);
    expect((await directApi.get(link.id)).click_count).toBe(50);
  }, 600_000);

  test("without nodes that serve the API, the others redirect and say what is missing", async () => {
    const link = await newKnownLink();
    const limited = await api.create({ max_clicks: 1 });
    const name = "go.acme.example";
    const added = await control.kurz(["domains", "add", "--account", owner.account, "--name", name, "--verified"]);
    expect(added.code).toBe(0);
    const { data } = (await (await directApi.ask("GET", "/domains")).json()) as { data: readonly Domain[] };
    const app_links = { apple_app_site_association: { applinks: { details: [] } } };
    expect((await directApi.ask("PATCH", `/domains/${data[0]?.id}`, { app_links })).status).toBe(200);
    await control.stop();
    expect((await click(redirect, link)).status).toBe(302);
    expect([(await click(redirect, limited)).status, (await click(redirect, limited)).status]).toEqual([302, 410]);
    const document = () => visit(redirect, "/.well-known/apple-app-site-association", { headers: { host: name } });
    await until("the node knows the domain", async () => (await document()).status === 200);
    expect(JSON.parse((await document()).text)).toEqual(app_links.apple_app_site_association);
    expect((await visit(redirect, "/readyz")).status).toBe(200);
    const answer = await api.ask("GET", "/me");
    expect([answer.status, await answer.json()]).toMatchObject([503, { error: { code: "unavailable" } }]);
    expect((await visit(redirect, "/console", { headers: { accept: "text/html" } })).status).toBe(503);
    await until("it is logged", () => redirect.output.stderr.includes("no node with the role control answers"));
    expect((await diagnose(redirect))[0]).toStartWith(`problem KURZ_CONTROL_URL: ${controlUrl} can't be reached`);
    control = await startControl();
    expect((await diagnose(redirect))[0]).toBe(`ok redirect: ${controlUrl} serves the API`);
    expect((await diagnose(control))[0]).toBe("ok control: short links answer 421");
    await untilCounted(link, 2);
  }, 600_000);

  test("what a killed node left in its journal is counted from its directory, once", async () => {
    const link = await newKnownLink();
    await untilCounted(link, 1);
    // Without the server for records, its clicks stay in the journal.
    await postgres.stop();
    for (let n = 0; n < 10; n += 1) expect((await click(redirect, link)).status).toBe(302);
    const children = [...redirect.processes("redirect"), ...redirect.processes("control")];
    redirect.supervisor.kill("SIGKILL");
    await until("its processes are gone", () => children.every((pid) => !existsSync(`/proc/${pid}`)), UNTIL_MS_MAX);
    expect(segmentsOf("redirect").length).toBeGreaterThan(0);
    await postgres.start();
    const settings = { ...env, KURZ_DATA_DIR: directoryOf("redirect"), KURZ_NODE_ID: "another-machine" };
    const first = await runKurz(["clicks", "ingest"], settings);
    expect(first.code).toBe(0);
    // One more if reports lacked the click before.
    expect(first.stdout).toMatch(/^Stored 1[01] clicks\. Nothing is left in the journal\.\n$/);
    const second = await runKurz(["clicks", "ingest"], settings);
    expect(second.stdout).toBe("Stored 0 clicks. Nothing is left in the journal.\n");
    await untilCounted(link, 11);
  }, 600_000);
});
