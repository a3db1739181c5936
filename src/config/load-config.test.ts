import { afterAll, describe, expect, test } from "bun:test";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { hostname, tmpdir } from "node:os";
import { join } from "node:path";
import { configurationPage } from "./configuration-page.ts";
import { enginePlaces } from "./engine-places.ts";
import { ConfigError, loadConfig } from "./load-config.ts";
import { settings } from "./settings.ts";
import { singleSignOnOf } from "./single-sign-on.ts";
import { toNodeName } from "./value-kinds.ts";

const directory = mkdtempSync(join(tmpdir(), "kurz-secret-"));
afterAll(() => rmSync(directory, { recursive: true }));

function problemsOf(env: Record<string, string>): readonly string[] {
  try {
    loadConfig(env);
    return [];
  } catch (error) {
    if (error instanceof ConfigError) return error.lines;
    throw error;
  }
}

describe("the configuration", () => {
  test("without any variable the documented defaults apply", () => {
    const config = loadConfig({});
    expect(config).toMatchObject({
      host: "127.0.0.1",
      port: 8080,
      baseUrl: "http://localhost:8080",
      shortDomain: "localhost:8080",
      rateLimitPerMinute: 120,
      defaultPlan: "unlimited",
      trustProxy: 0,
    });
    expect(config.redirectProcesses).toBeGreaterThanOrEqual(1);
    expect(config.shortenerHosts).toContain("bit.ly");
  });

  test("the base URL defaults to the port, and the short domain to the base URL", () => {
    expect(loadConfig({ KURZ_PORT: "9000" }).baseUrl).toBe("http://localhost:9000");
    expect(loadConfig({ KURZ_BASE_URL: "https://S.Example:443/" })).toMatchObject({
      baseUrl: "https://s.example",
      shortDomain: "s.example",
    });
    const apart = loadConfig({ KURZ_BASE_URL: "https://app.example", KURZ_SHORT_DOMAIN: "s.example:8443" });
    expect(apart.shortDomain).toBe("s.example:8443");
  });

  test("networks for webhooks are a list", () => {
    const { webhookAllowCidrs, webhookAllowInsecure } = loadConfig({
      KURZ_WEBHOOK_ALLOW_CIDRS: " 10.0.0.0/8 ,127.0.0.1,fd00::/8,",
      KURZ_WEBHOOK_ALLOW_INSECURE: "1",
    });
    expect(webhookAllowCidrs).toEqual(["10.0.0.0/8", "127.0.0.1", "fd00::/8"]);
    expect(webhookAllowInsecure).toBe(true);
  });

  test.each([
    ["", { hostname: "127.0.0.1", port: 9464 }],
    ["off", null],
    ["0.0.0.0:9090", { hostname: "0.0.0.0", port: 9090 }],
    ["[::1]:0", { hostname: "::1", port: 0 }],
    ["metrics.internal:80", { hostname: "metrics.internal", port: 80 }],
    ["unix:/run/kurz/metrics.sock", { unix: "/run/kurz/metrics.sock" }],
  ])("the metrics address %p is accepted", (text, address) => {
    expect(loadConfig({ KURZ_METRICS_ADDR: text }).metricsAddress).toEqual(address);
  });

  test.each([
    [{ KURZ_PROT: "80" }, "KURZ_PROT is not a setting; did you mean KURZ_PORT?"],
    [{ KURZ_NONSENSE_THING: "1" }, "KURZ_NONSENSE_THING is not a setting (see docs/configuration.md)"],
    [{ KURZ_PORT: "0" }, 'KURZ_PORT must be a whole number from 1 to 65535, not "0"'],
    [{ KURZ_PORT: "80a" }, 'KURZ_PORT must be a whole number from 1 to 65535, not "80a"'],
    [{ KURZ_BASE_URL: "s.example" }, 'KURZ_BASE_URL must be an http(s) URL, not "s.example"'],
    [
      { KURZ_BASE_URL: "https://s.example/kurz" },
      'KURZ_BASE_URL must be an origin such as https://s.example, without a path, not "https://s.example/kurz"',
    ],
    [
      { KURZ_BASE_URL: "HTTPS://S.Example:443/Kurz" },
      'KURZ_BASE_URL must be an origin such as https://s.example, without a path, not "HTTPS://S.Example:443/Kurz"',
    ],
    [
      { KURZ_SHORT_DOMAIN: "https://s.example" },
      'KURZ_SHORT_DOMAIN must be a host such as s.example or s.example:8443, not "https://s.example"',
    ],
    [
      { KURZ_METRICS_ADDR: "9464" },
      'KURZ_METRICS_ADDR must be host:port such as 127.0.0.1:9464, unix:/path, or off, not "9464"',
    ],
    [
      { KURZ_METRICS_ADDR: "127.0.0.1:65536" },
      'KURZ_METRICS_ADDR must be host:port such as 127.0.0.1:9464, unix:/path, or off, not "127.0.0.1:65536"',
    ],
    [
      { KURZ_WEBHOOK_ALLOW_CIDRS: "10.0.0.0/8, 10.0.0.5/8" },
      'KURZ_WEBHOOK_ALLOW_CIDRS: each entry must be a network such as 10.0.0.0/8 or fd00::/8, with no bits set after the prefix, not "10.0.0.5/8"',
    ],
    [{ KURZ_WEBHOOK_ALLOW_INSECURE: "2" }, 'KURZ_WEBHOOK_ALLOW_INSECURE must be on or off, not "2"'],
    [{ KURZ_ROLES: "redirects" }, 'KURZ_ROLES: each entry must be one of redirect, control, not "redirects"'],
    [{ KURZ_ROLES: "," }, "KURZ_ROLES must have at least one entry"],
    [
      { KURZ_ROLES: "redirect" },
      "KURZ_ROLES=redirect needs DATABASE_URL: this node serves only a part, and nodes with the other role must share its links",
    ],
    [
      { KURZ_ROLES: "control", KURZ_DEMO: "1" },
      "the demo is a deployment of its own, with all roles: unset KURZ_ROLES",
    ],
    [
      { KURZ_CONTROL_URL: "http://control.internal:8080" },
      "KURZ_CONTROL_URL is for nodes with KURZ_ROLES=redirect: this one serves the API and the console itself",
    ],
    [{ KURZ_INTERSTITIAL: "on" }, 'KURZ_INTERSTITIAL must be one of never, always, not "on"'],
    [{ KURZ_LOG_CLIENT_IP: "maybe" }, 'KURZ_LOG_CLIENT_IP must be on or off, not "maybe"'],
    [{ KURZ_SECRET_KEY: "short" }, "KURZ_SECRET_KEY must have at least 32 characters"],
    [
      { KURZ_SECRET_KEY_FILE: "/nowhere" },
      "KURZ_SECRET_KEY can't be read from KURZ_SECRET_KEY_FILE (/nowhere): ENOENT",
    ],
    [
      { KURZ_CORS_ALLOWED_ORIGINS: "https://a.example,b" },
      'KURZ_CORS_ALLOWED_ORIGINS: each entry must be an http(s) URL, not "b"',
    ],
    [
      { KURZ_SMTP_URL: "https://user:hunter2@mail.example" },
      "KURZ_SMTP_URL must be a mail server such as smtps://user:password@mail.example:465",
    ],
    [
      { DATABASE_URL: "mysql://kurz:hunter2@db.example/kurz" },
      "DATABASE_URL must be an address such as postgres://user:password@db.example:5432/kurz; percent-encode special characters of the password",
    ],
    [
      { DATABASE_URL: "postgres://kurz:hunter2@db.example/kurz?sslmode=verify" },
      "DATABASE_URL has an unknown sslmode; use disable, prefer, require, verify-ca, verify-full",
    ],
    [
      { DATABASE_URL: "postgres:///kurz" },
      "DATABASE_URL must be an address such as postgres://user:password@db.example:5432/kurz; percent-encode special characters of the password",
    ],
    [
      { CLICKHOUSE_URL: "clickhouse://kurz:hunter2@clicks.example:9000" },
      "CLICKHOUSE_URL must be an address such as https://user:password@clicks.example:8443/kurz; percent-encode special characters of the password",
    ],
    [
      { CLICKHOUSE_URL: "https://kurz:hunter2@clicks.example/a-b" },
      "CLICKHOUSE_URL must be an address such as https://user:password@clicks.example:8443/kurz; percent-encode special characters of the password",
    ],
    [
      { CLICKHOUSE_URL: "https://clicks.example/kurz?password=hunter2" },
      "CLICKHOUSE_URL must be an address such as https://user:password@clicks.example:8443/kurz; percent-encode special characters of the password",
    ],
    [
      { CLICKHOUSE_URL: "https://clicks.example", CLICKHOUSE_CLUSTER: "it's" },
      'CLICKHOUSE_CLUSTER must be the name of a cluster, such as kurz, not "it\'s"',
    ],
    [
      { CLICKHOUSE_CLUSTER: "kurz" },
      "CLICKHOUSE_CLUSTER needs the address of one of its servers: set CLICKHOUSE_URL, too",
    ],
    [
      { REDIS_URL: "cache.example:6379" },
      "REDIS_URL must be an address such as redis://user:password@cache.example:6379; percent-encode special characters of the password",
    ],
    [
      { REDIS_URL: "redis://:hunter2@cache.example/zero" },
      "REDIS_URL must be an address such as redis://user:password@cache.example:6379; percent-encode special characters of the password",
    ],
    [
      { REDIS_URL: "redis://:hunter2@cache.example?prefix=a:b" },
      "REDIS_URL must be an address such as redis://user:password@cache.example:6379; percent-encode special characters of the password",
    ],
    [
      { DATABASE_READ_URL: "postgres://db.example" },
      "DATABASE_READ_URL is the replica of another server: set DATABASE_URL, too",
    ],
    [
      { DATABASE_URL: "postgres://db.example" },
      "DATABASE_URL needs KURZ_SECRET_KEY: every node that uses the database must have the same key",
    ],
    [
      { KURZ_DEMO: "on", DATABASE_URL: "postgres://db.example", REDIS_URL: "redis://cache.example" },
      "the demo keeps everything in its own data directory: unset DATABASE_URL, REDIS_URL",
    ],
    [
      { KURZ_MAIL_FROM: "kurz" },
      'KURZ_MAIL_FROM must be an address such as kurz@s.example or Kurz <kurz@s.example>, not "kurz"',
    ],
  ])("%j is refused with one line", (env, line) => {
    expect(problemsOf(env as unknown as Record<string, string>)).toEqual([line]);
  });

  test("all problems are reported at once", () => {
    expect(problemsOf({ KURZ_PORT: "x", KURZ_HOTS: "y", KURZ_TRUST_PROXY: "-1" })).toHaveLength(3);
  });

  test("a secret can come from a file or the variable, but not from both", () => {
    const file = join(directory, "key");
    writeFileSync(file, `${"k".repeat(40)}\n`);
    expect(loadConfig({ KURZ_SECRET_KEY_FILE: file }).secretKey).toBe("k".repeat(40));
    const both = { KURZ_SECRET_KEY_FILE: file, KURZ_SECRET_KEY: "s".repeat(40) };
    expect(problemsOf(both)).toEqual(["KURZ_SECRET_KEY and KURZ_SECRET_KEY_FILE are both set: choose one"]);
  });

  test("engines are in the data directory unless a setting names their server", () => {
    expect(enginePlaces(loadConfig({ KURZ_DATA_DIR: "/data" }))).toEqual({
      records: { path: "/data/records.db" },
      clicks: { path: "/data/clicks.duckdb", batchDirectory: "/data/batches" },
      coordination: null,
    });
    const servers = {
      DATABASE_URL: "postgres://kurz:secret@db.example/kurz",
      DATABASE_READ_URL: "postgresql://kurz:secret@replica.example/kurz",
      CLICKHOUSE_URL: "http://clicks.example:8123",
      REDIS_URL: "rediss://cache.example",
    };
    const config = loadConfig({ KURZ_DATA_DIR: "/data", KURZ_SECRET_KEY: "k".repeat(32), ...servers });
    expect(enginePlaces(config)).toEqual({
      records: { url: servers.DATABASE_URL, readUrl: servers.DATABASE_READ_URL },
      clicks: { url: servers.CLICKHOUSE_URL, cluster: null, batchDirectory: "/data/batches" },
      coordination: { url: servers.REDIS_URL },
    });
  });

  test("a node is called local, or by its host's name if it shares a server with others", () => {
    expect(loadConfig({}).nodeId).toBe("local");
    expect(loadConfig({ KURZ_NODE_ID: "eu-1" }).nodeId).toBe("eu-1");
    expect(loadConfig({ REDIS_URL: "redis://cache.example" }).nodeId).toBe(toNodeName(hostname()));
    expect(problemsOf({ KURZ_NODE_ID: "../node" })[0]).toContain("KURZ_NODE_ID must be up to 40 letters");
    expect(["Ünit_1", "-a", "", "x".repeat(80)].map(toNodeName)).toEqual(["nit_1", "a", "node", "x".repeat(40)]);
  });

  test("variables of other programs are ignored, and an empty value means unset", () => {
    expect(problemsOf({ PATH: "/bin", KURZ: "x", KURZ_PORT: "" })).toEqual([]);
  });

  test("the page lists every setting", () => {
    const page = configurationPage();
    for (const { name } of Object.values(settings)) expect(page).toContain(`\`${name}\``);
  });
});

describe("single sign-on", () => {
  const complete = {
    KURZ_OIDC_ISSUER: "https://id.example/realms/acme",
    KURZ_OIDC_CLIENT_ID: "kurz",
    KURZ_OIDC_CLIENT_SECRET: "secret",
    KURZ_OIDC_DOMAINS: "Acme.example, müller.example",
  };

  test("is off unless a provider is named", () => {
    expect(singleSignOnOf(loadConfig({}))).toBeNull();
  });

  test("has defaults, and keeps the issuer as it was typed", () => {
    expect(singleSignOnOf(loadConfig(complete))).toEqual({
      issuer: "https://id.example/realms/acme",
      clientId: "kurz",
      clientSecret: "secret",
      name: "id.example",
      domains: ["acme.example", "xn--mller-kva.example"],
      accountId: null,
      rolesClaim: "groups",
      roles: [],
      scopes: ["openid", "email", "profile"],
      signsOutAtProvider: false,
    });
  });

  test("maps values of a claim to roles", () => {
    const { oidcRoles } = loadConfig({
      ...complete,
      KURZ_OIDC_ACCOUNT: "acc_1",
      KURZ_OIDC_ROLES: "admin=kurz-admins, member=cn=marketing,viewer=*",
    });
    expect(oidcRoles).toEqual([
      { role: "admin", value: "kurz-admins" },
      { role: "member", value: "cn=marketing" },
      { role: "viewer", value: "*" },
    ]);
  });

  test.each<[Record<string, string>, RegExp]>([
    [{ KURZ_OIDC_ISSUER: "http://id.example" }, /^KURZ_OIDC_ISSUER must be the https address of a provider/],
    [{ KURZ_OIDC_ISSUER: "https://user:pw@id.example" }, /^KURZ_OIDC_ISSUER must be/],
    [{ KURZ_OIDC_ISSUER: "https://id.example/?a" }, /^KURZ_OIDC_ISSUER must be/],
    [{ KURZ_OIDC_CLIENT_ID: "" }, /^KURZ_OIDC_ISSUER needs KURZ_OIDC_CLIENT_ID: /],
    [{ KURZ_OIDC_CLIENT_SECRET: "" }, /^KURZ_OIDC_ISSUER needs KURZ_OIDC_CLIENT_SECRET: /],
    [{ KURZ_OIDC_DOMAINS: "" }, /^KURZ_OIDC_ISSUER needs KURZ_OIDC_DOMAINS: /],
    [{ KURZ_OIDC_DOMAINS: "acme" }, /^KURZ_OIDC_DOMAINS: each entry must be an e-mail domain/],
    [{ KURZ_OIDC_ROLES: "admin=a" }, /^KURZ_OIDC_ROLES needs KURZ_OIDC_ACCOUNT/],
    [{ KURZ_OIDC_ROLES: "editor=a", KURZ_OIDC_ACCOUNT: "acc_1" }, /^KURZ_OIDC_ROLES: each entry must be a role/],
    [{ KURZ_OIDC_SCOPES: "email" }, /^KURZ_OIDC_SCOPES must be scopes/],
    [
      { KURZ_OIDC_ISSUER: "" },
      /^KURZ_OIDC_CLIENT_ID, KURZ_OIDC_CLIENT_SECRET, KURZ_OIDC_DOMAINS: set KURZ_OIDC_ISSUER/,
    ],
    [{ KURZ_DEMO: "1" }, /^the demo has a user of its own/],
  ])("%p is refused with one line", (over, line) => {
    expect(problemsOf({ ...complete, ...over })).toEqual([expect.stringMatching(line)]);
  });

  test("http is fine on this machine", () => {
    expect(problemsOf({ ...complete, KURZ_OIDC_ISSUER: "http://localhost:9000" })).toEqual([]);
  });

  test("the secret can be in a file", () => {
    const file = join(directory, "oidc-secret");
    writeFileSync(file, "from a file\n");
    const { KURZ_OIDC_CLIENT_SECRET: _, ...rest } = complete;
    expect(loadConfig({ ...rest, KURZ_OIDC_CLIENT_SECRET_FILE: file }).oidcClientSecret).toBe("from a file");
  });
});
