import { afterAll, describe, expect, test } from "bun:test";
import { existsSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { freePort } from "#test/support/free-port.ts";
import { runKurz } from "#test/support/kurz-server.ts";
import { hasListener } from "#test/support/process-table.ts";
import { withSmallDisk } from "#test/support/small-disk.ts";

const temporary = mkdtempSync(join(tmpdir(), "kurz-config-"));
afterAll(() => rmSync(temporary, { recursive: true, force: true }));

let files = 0;
const file = (text: string): string => {
  files += 1;
  const path = join(temporary, `file-${files}`);
  writeFileSync(path, text);
  return path;
};
const missing = join(temporary, "missing");
const shortSecret = "too-short-to-be-safe";

/** The mistake, an environment with it, and what the error line has to name. */
const mistakes: readonly [what: string, env: Record<string, string>, named: readonly string[]][] = [
  ["an unknown name", { KURZ_PROT: "8080" }, ["KURZ_PROT", "KURZ_PORT"]],
  ["a port that isn't a number", { KURZ_PORT: "http" }, ["KURZ_PORT", "65535"]],
  ["a port out of range", { KURZ_PORT: "65536" }, ["KURZ_PORT", "65535"]],
  ["an address that this machine doesn't have", { KURZ_HOST: "203.0.113.9" }, ["203.0.113.9"]],
  ["a base URL with a path", { KURZ_BASE_URL: "https://s.example/kurz" }, ["KURZ_BASE_URL", "path"]],
  ["a base URL that isn't a URL", { KURZ_BASE_URL: "s.example" }, ["KURZ_BASE_URL"]],
  ["a short domain that isn't a host name", { KURZ_SHORT_DOMAIN: "https://s.example" }, ["KURZ_SHORT_DOMAIN"]],
  ["no redirect process", { KURZ_REDIRECT_PROCESSES: "0" }, ["KURZ_REDIRECT_PROCESSES"]],
  ["a negative limit", { KURZ_RATE_LIMIT_PER_MINUTE: "-1" }, ["KURZ_RATE_LIMIT_PER_MINUTE"]],
  ["a flag that is neither on nor off", { KURZ_LOG_CLIENT_IP: "maybe" }, ["KURZ_LOG_CLIENT_IP", "on or off"]],
  [
    "a network that isn't one",
    { KURZ_WEBHOOK_ALLOW_CIDRS: "10.0.0.0/8,intranet" },
    ["KURZ_WEBHOOK_ALLOW_CIDRS", "intranet"],
  ],
  ["a proxy count that isn't a number", { KURZ_TRUST_PROXY: "yes" }, ["KURZ_TRUST_PROXY"]],
  ["any origin for CORS", { KURZ_CORS_ALLOWED_ORIGINS: "*" }, ["KURZ_CORS_ALLOWED_ORIGINS"]],
  ["a redirect to a script", { KURZ_ROOT_REDIRECT: "javascript:alert(1)" }, ["KURZ_ROOT_REDIRECT"]],
  ["a short secret key", { KURZ_SECRET_KEY: shortSecret }, ["KURZ_SECRET_KEY", "32"]],
  ["a short secret key in a file", { KURZ_SECRET_KEY_FILE: file(shortSecret) }, ["KURZ_SECRET_KEY", "32"]],
  ["a secret file that doesn't exist", { KURZ_SECRET_KEY_FILE: missing }, ["KURZ_SECRET_KEY_FILE", "ENOENT"]],
  ["a secret file that is a directory", { KURZ_SECRET_KEY_FILE: temporary }, ["KURZ_SECRET_KEY_FILE", "EISDIR"]],
  ["a database of another kind", { DATABASE_URL: `mysql://kurz:${shortSecret}@db.example/kurz` }, ["DATABASE_URL"]],
  ["a database without a secret key", { DATABASE_URL: "postgres://db.example/kurz" }, ["KURZ_SECRET_KEY"]],
  [
    "a clicks server of another kind",
    { CLICKHOUSE_URL: `tcp://kurz:${shortSecret}@clicks.example` },
    ["CLICKHOUSE_URL"],
  ],
  ["a coordination server of another kind", { REDIS_URL: `amqp://:${shortSecret}@cache.example` }, ["REDIS_URL"]],
  ["a plans file that doesn't exist", { KURZ_PLANS_FILE: missing }, ["KURZ_PLANS_FILE", missing]],
  ["a plans file that isn't JSON", { KURZ_PLANS_FILE: file("{") }, ["KURZ_PLANS_FILE", "JSON"]],
  [
    "a plans file with an unknown member",
    { KURZ_PLANS_FILE: file('{"unlimited":{"api_access":true,"active_links":null,"webhook_endpoints":null,"x":1}}') },
    ["KURZ_PLANS_FILE", "x"],
  ],
  ["a default plan that doesn't exist", { KURZ_DEFAULT_PLAN: "gold" }, ["KURZ_DEFAULT_PLAN", "gold"]],
  ["a block file that doesn't exist", { KURZ_BLOCKLIST_FILE: missing }, ["KURZ_BLOCKLIST_FILE", missing]],
  [
    "a block file with a bad line",
    { KURZ_BLOCKLIST_FILE: file("evil.example\nwhat is this\n") },
    ["KURZ_BLOCKLIST_FILE", "2"],
  ],
];

const linesOf = (text: string): string[] => text.split("\n").filter((line) => line !== "");

describe("the server refuses to start, with one clear line and without creating data, with", () => {
  test.each(mistakes)("%s", async (_what, env, named) => {
    const dataDir = join(temporary, `data-${crypto.randomUUID()}`);
    const port = freePort();
    const { code, stdout, stderr } = await runKurz(["serve"], {
      KURZ_DATA_DIR: dataDir,
      KURZ_PORT: String(port),
      ...env,
    });
    expect({ code, stdout, lines: linesOf(stderr).length }).toEqual({ code: 1, stdout: "", lines: 1 });
    for (const part of named) expect(stderr).toContain(part);
    expect(stderr).not.toContain(shortSecret);
    expect(stderr).not.toMatch(/\bat .*:\d+:\d+/);
    expect(hasListener(port)).toBe(false);
    expect(existsSync(dataDir)).toBe(false);
  });
});

test("a database that can't be reached is named in one clear line, without its password", async () => {
  const port = freePort();
  const { code, stdout, stderr } = await runKurz(["serve"], {
    KURZ_DATA_DIR: join(temporary, `data-${crypto.randomUUID()}`),
    KURZ_PORT: String(port),
    DATABASE_URL: `postgres://kurz:${shortSecret}@db.example/kurz`,
    KURZ_SECRET_KEY: "k".repeat(32),
  });
  expect({ code, stdout, lines: linesOf(stderr).length }).toEqual({ code: 1, stdout: "", lines: 1 });
  expect(stderr).toContain("DATABASE_URL: PostgreSQL at db.example:5432 can't be reached");
  expect(stderr).not.toContain(shortSecret);
  expect(hasListener(port)).toBe(false);
});

test("every mistake gets its own line", async () => {
  const { code, stderr } = await runKurz(["serve"], {
    KURZ_DATA_DIR: join(temporary, "never"),
    KURZ_PORT: "0",
    KURZ_TRUST_PROXY: "-1",
    KURZ_COLOUR: "blue",
  });
  expect(code).toBe(1);
  expect(linesOf(stderr).map((line) => /KURZ_\w+/.exec(line)?.[0])).toEqual([
    "KURZ_COLOUR",
    "KURZ_PORT",
    "KURZ_TRUST_PROXY",
  ]);
});

test("a data directory that can't be created is named in one line", async () => {
  const dataDir = join(file("not a directory"), "data");
  const { code, stdout, stderr } = await runKurz(["serve"], { KURZ_DATA_DIR: dataDir, KURZ_PORT: String(freePort()) });
  expect({ code, stdout, lines: linesOf(stderr).length }).toEqual({ code: 1, stdout: "", lines: 1 });
  expect(stderr).toContain(dataDir);
});

test("a data directory that can't be written is named in one line", async () => {
  await withSmallDisk(1, async (disk) => {
    const dataDir = join(disk.path, "data");
    mkdirSync(dataDir);
    disk.remount("ro");
    const { code, stdout, stderr } = await runKurz(["serve"], {
      KURZ_DATA_DIR: dataDir,
      KURZ_PORT: String(freePort()),
    });
    expect({ code, stdout, lines: linesOf(stderr).length }).toEqual({ code: 1, stdout: "", lines: 1 });
    expect(stderr).toContain(dataDir);
  });
});
