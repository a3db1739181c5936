import { afterAll, beforeAll, describe, expect, setDefaultTimeout, test } from "bun:test";
import { mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { userAgents } from "#test/support/clicks.ts";
import { type ComposeFile, kurzServices, readCompose } from "#test/support/compose.ts";
import { freePort } from "#test/support/free-port.ts";
import { type KurzServer, startKurz } from "#test/support/kurz-server.ts";
import { LinkApi } from "#test/support/link-api.ts";
import { type PostgresServer, startPostgres } from "#test/support/postgres-server.ts";
import { type RedisServer, startRedisServer } from "#test/support/redis-server.ts";
import { until } from "#test/support/until.ts";
import { startCaddy, type WebServer } from "#test/support/web-servers.ts";

setDefaultTimeout(600_000);

const ROOT = join(import.meta.dir, "..", "..");
const CADDYFILE = readFileSync(join(ROOT, "container", "Caddyfile"), "utf8");

describe("the health check of the image", () => {
  const [, command = "[]"] =
    /^HEALTHCHECK[\s\S]*?CMD (\[.*\])$/m.exec(readFileSync(join(ROOT, "Dockerfile"), "utf8")) ?? [];
  const [program = "", script = ""] = JSON.parse(command).map((path: string) => path.replace("/opt/kurz", ROOT));
  const check = async (port: number, host: string) => {
    const child = Bun.spawn([program, script], {
      env: { KURZ_PORT: String(port), KURZ_HOST: host },
      stdout: "ignore",
      stderr: "pipe",
    });
    const [problem, code] = await Promise.all([child.stderr.text(), child.exited]);
    return { code, problem };
  };

  test("passes while the server is ready, and fails with a reason while it drains and once it is gone", async () => {
    const server = await startKurz({ env: { KURZ_DRAIN_SECONDS: "600" } });
    expect(await check(server.port, "0.0.0.0")).toEqual({ code: 0, problem: "" });
    expect(await check(server.port, "127.0.0.1")).toEqual({ code: 0, problem: "" });
    server.supervisor.kill("SIGTERM");
    await until("it drains", async () => (await fetch(`${server.url}/readyz`)).status === 503);
    expect(await check(server.port, "0.0.0.0")).toEqual({ code: 1, problem: expect.stringContaining("503") });
    await server.kill();
    rmSync(server.dataDir, { recursive: true, force: true });
    const gone = await check(server.port, "0.0.0.0");
    expect(gone).toEqual({ code: 1, problem: expect.stringContaining(`:${server.port}/readyz`) });
  });
});

test("Caddy accepts the balancer's configuration, with a certificate and without", async () => {
  for (const baseUrl of ["https://s.example", "http://localhost"]) {
    const child = Bun.spawn(
      ["caddy", "validate", "--adapter", "caddyfile", "--config", join(ROOT, "container", "Caddyfile")],
      { env: { PATH: process.env.PATH, HOME: tmpdir(), KURZ_BASE_URL: baseUrl }, stdout: "ignore", stderr: "pipe" },
    );
    const [problem, code] = await Promise.all([child.stderr.text(), child.exited]);
    expect({ code, problem }).toMatchObject({ code: 0 });
  }
});

/**
 * The processes of compose.cluster.yaml with its settings, all on this machine instead of in containers; but without
 * ClickHouse, which Debian doesn't have, so it is as if it were away.
 */
describe("the cluster", () => {
  const directory = mkdtempSync(join(tmpdir(), "kurz-compose-"));
  const secrets = {
    KURZ_BASE_URL: "http://localhost",
    KURZ_SECRET_KEY: "a key for tests that is long enough, and the same on all nodes",
    POSTGRES_PASSWORD: "replaced",
    CLICKHOUSE_PASSWORD: "nobody-asks",
    REDIS_PASSWORD: "0123456789abcdef0123456789abcdef",
  };
  const file: ComposeFile = readCompose("compose.cluster.yaml", secrets);
  const nodes = new Map<string, KurzServer>();
  let postgres: PostgresServer;
  let redis: RedisServer;
  let balancer: WebServer;
  let api: LinkApi;

  const node = (name: string): KurzServer => {
    const found = nodes.get(name);
    if (!found) throw new Error(`there is no node ${name}`);
    return found;
  };
  const visit = (url: string, slug: string) =>
    fetch(`${url}/${slug}`, { redirect: "manual", headers: { "user-agent": userAgents.firefox } });

  /** Through the shell commands of the file, with our own options added to those that it sets. */
  const asInCompose = (own: readonly string[]) => {
    const { command = [], environment: env = {} } = file.services.valkey ?? {};
    const [shell = "", option = "", script = ""] = command;
    return { command: [shell, option, script.replace("valkey-server -", '"$0" - "$@"'), ...own], env };
  };

  beforeAll(async () => {
    [postgres, redis] = await Promise.all([startPostgres(), startRedisServer([], asInCompose)]);
    const database = await postgres.newDatabase();
    const elsewhere = {
      DATABASE_URL: postgres.urlOf(database),
      CLICKHOUSE_URL: `http://kurz:nobody-asks@127.0.0.1:${freePort()}/kurz`,
      REDIS_URL: `redis://:${secrets.REDIS_PASSWORD}@127.0.0.1:${redis.port}`,
      KURZ_HOST: "127.0.0.1",
    };
    // All at once, as Compose starts them.
    await Promise.all(
      kurzServices(file).map(async ([name, { environment = {} }]) => {
        const { KURZ_DATA_DIR: _, KURZ_PORT: __, ...settings } = environment;
        const dataDir = join(directory, name);
        nodes.set(name, await startKurz({ dataDir, env: { ...settings, ...elsewhere, KURZ_METRICS_ADDR: "off" } }));
      }),
    );
    balancer = await startCaddy((ownPort) => {
      const here = kurzServices(file).reduce(
        (text, [name]) => text.replaceAll(`${name}:8080`, `127.0.0.1:${node(name).port}`),
        CADDYFILE.replace("{$KURZ_BASE_URL}", `http://127.0.0.1:${ownPort}`),
      );
      // More patient with a busy machine.
      return here
        .replace("health_timeout 1s", "health_timeout 10s")
        .replace("lb_try_duration 2s", "lb_try_duration 60s");
    });
    const first = node("control-1");
    api = new LinkApi(balancer.url, await first.newToken(await first.newAccount()));
  });

  afterAll(async () => {
    await balancer?.stop();
    // A stop would wait a minute for ClickHouse.
    await Promise.all([...nodes.values()].map((one) => one.kill()));
    await Promise.all([postgres?.close(), redis?.stop()]);
    rmSync(directory, { recursive: true, force: true });
  });

  test("has a Redis that only answers those who know the password", async () => {
    expect(await redis.cli("ping")).toContain("NOAUTH");
    expect(await redis.cli("--pass", secrets.REDIS_PASSWORD, "ping")).toBe("PONG");
  });

  test("starts on an empty database, and every node passes its health check", async () => {
    expect([...nodes.keys()].toSorted()).toEqual(["control-1", "control-2", "redirect-1", "redirect-2"]);
    for (const { url } of nodes.values()) expect((await fetch(`${url}/readyz`)).status).toBe(200);
  });

  test("creates a link through the balancer that both redirect nodes serve, and counts its clicks", async () => {
    const { id, slug, destination_url } = await api.create();
    for (const { url } of [balancer, node("redirect-1"), node("redirect-2")]) {
      const response = await visit(url, slug);
      expect({ status: response.status, to: response.headers.get("location") }).toEqual({
        status: 302,
        to: destination_url,
      });
    }
    await until("the clicks of both nodes are counted", async () => (await api.get(id)).click_count === 3);
  });

  test("stops redirecting a paused link on both nodes", async () => {
    const { id, slug } = await api.create();
    expect((await visit(balancer.url, slug)).status).toBe(302);
    await api.act(id, "pause");
    for (const { url } of [node("redirect-1"), node("redirect-2")]) {
      await until("it no longer redirects", async () => (await visit(url, slug)).status !== 302);
    }
  });

  test("reports wait for ClickHouse, and nothing else does", async () => {
    expect((await api.ask("GET", "/analytics")).status).toBe(503);
    expect((await visit(balancer.url, (await api.create()).slug)).status).toBe(302);
  });

  test("goes on without one node of each kind", async () => {
    const { slug } = await api.create();
    await Promise.all(["redirect-1", "control-1"].map((name) => node(name).kill()));
    for (let turn = 0; turn < 4; turn += 1) expect((await visit(balancer.url, slug)).status).toBe(302);
    // Caddy doesn't repeat a POST whose connection ended with its node, which it may notice late. Clients do.
    const again = { "idempotency-key": "after-the-loss-of-a-node" };
    const body = { destination_url: "https://example.com/", slug: "created-without-them" };
    await until("a link is created", async () => (await api.ask("POST", "/links", body, again)).status === 201);
    expect((await visit(balancer.url, body.slug)).status).toBe(302);
  });
});
