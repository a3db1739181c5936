import { Database } from "bun:sqlite";
import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { sendToServer } from "#commands/admin-client.ts";
import { dataPaths, snapshotFile } from "#config/data-paths.ts";
import { getState } from "#contract/console/session.ts";
import type { Link } from "#contract/link-record.ts";
import { ConsoleClient, outcomeOf, PASSWORD } from "#test/support/console-client.ts";
import { freePort } from "#test/support/free-port.ts";
import { runKurz, startKurz } from "#test/support/kurz-server.ts";
import { LinkApi } from "#test/support/link-api.ts";
import { type PostgresServer, startPostgres } from "#test/support/postgres-server.ts";
import { until } from "#test/support/until.ts";

const main = join(import.meta.dir, "..", "..", "src", "main.ts");
const directory = mkdtempSync(join(tmpdir(), "kurz-away-"));
const dataDir = join(directory, "data");
const port = freePort();
const url = `http://127.0.0.1:${port}`;
/** The configured address; a cookie for another would be refused. */
const consoleUrl = `http://localhost:${port}`;
const EMAIL = "ada@example.com";
const UNTIL_MS_MAX = 60_000;
const PROCESSES = 2;
// The system chooses a process for each connection.
const VISITS = 20;

let postgres: PostgresServer;
let env: Record<string, string>;
let links: LinkApi;
/** Looked up before the server for records went away, deleted before, paused before, and never looked up. */
let known: Link;
let deleted: Link;
let paused: Link;
let unseen: Link;
let server: Bun.Subprocess | undefined;

const statusOf = async (path: string): Promise<number> =>
  (await fetch(`${url}/${path}`, { redirect: "manual", keepalive: false }).catch(() => null))?.status ?? 0;

/** What visitors of all processes get. */
async function statusesOf(path: string): Promise<number[]> {
  const statuses = new Set<number>();
  for (let visits = 0; visits < VISITS; visits += 1) statuses.add(await statusOf(path));
  return [...statuses];
}

/** What the node's snapshots say of a link: its state, "deleted", or nothing. */
function remembered({ slug }: Link): string {
  const states = new Set<string>();
  for (let writer = 0; writer < PROCESSES; writer += 1) {
    const database = new Database(snapshotFile(dataPaths(dataDir), writer), { readonly: true });
    try {
      const row = database.query("select link from links where key = ?").get(slug) as { link: string } | null;
      const link = row === null ? undefined : JSON.parse(row.link);
      if (link !== undefined) states.add(link === "deleted" ? link : link.state);
    } finally {
      database.close();
    }
  }
  return [...states].join();
}

async function signedIn(): Promise<ConsoleClient> {
  const owner = { email: EMAIL, name: "Ada", password: PASSWORD };
  await sendToServer(dataPaths(dataDir).adminSocket, "accounts create", owner);
  const person = new ConsoleClient(consoleUrl);
  expect((await person.signIn(EMAIL)).status).toBe(200);
  return person;
}

beforeAll(async () => {
  postgres = await startPostgres();
  env = {
    DATABASE_URL: postgres.urlOf(await postgres.newDatabase()),
    KURZ_SECRET_KEY: "a secret key for tests that all nodes share",
    KURZ_REDIRECT_PROCESSES: String(PROCESSES),
    KURZ_RATE_LIMIT_PER_MINUTE: "0",
  };
  const kurz = await startKurz({ dataDir, port, env });
  try {
    links = new LinkApi(url, await kurz.newToken(await kurz.newAccount()));
    [known, deleted, paused, unseen] = (await Promise.all(Array.from({ length: 4 }, () => links.create()))) as [
      Link,
      Link,
      Link,
      Link,
    ];
    for (const { slug } of [known, deleted, paused]) expect(await statusOf(slug)).toBe(302);
    await until("they are remembered", () => [known, deleted, paused].every((link) => remembered(link) === "active"));
    await links.act(paused.id, "pause");
    await links.delete(deleted.id);
    expect(await Promise.all([paused, deleted].map(({ slug }) => statusOf(slug)))).toEqual([404, 410]);
    await until("as they are now", () => remembered(paused) === "paused" && remembered(deleted) === "deleted");

    // From now on this is answered from memory, but only for as long as nobody can have created the link.
    for (let visits = 0; visits < 3; visits += 1) expect(await statusOf("missing")).toBe(404);

    const person = await signedIn();

    await postgres.stop();
    expect(await statusesOf(known.slug)).toEqual([302]);
    expect(await statusOf(unseen.slug)).toBe(503);
    expect(await statusOf("readyz")).toBe(200);
    await until("a link that was missing may exist by now", async () => (await statusesOf("missing")).join() === "503");
    // With a session and without one: the sign-in library looks both up itself.
    for (const answer of [await person.call(getState), await new ConsoleClient(consoleUrl).signIn(EMAIL)]) {
      expect([outcomeOf(answer), answer.headers.get("retry-after")]).toEqual(["503 unavailable", "1"]);
    }
  } finally {
    await kurz.stop();
  }
}, 600_000);

afterAll(async () => {
  server?.kill("SIGTERM");
  await server?.exited;
  await postgres.close();
  rmSync(directory, { recursive: true, force: true });
});

describe("without its server for records", () => {
  test("a node that has served links starts and redirects those it knows; others wait for it", async () => {
    server = Bun.spawn([process.execPath, main, "serve"], {
      env: {
        PATH: process.env.PATH ?? "",
        HOME: process.env.HOME ?? "",
        KURZ_DATA_DIR: dataDir,
        KURZ_PORT: String(port),
        KURZ_METRICS_ADDR: "off",
        ...env,
      },
      stdio: ["ignore", "ignore", "ignore"],
    });
    await until("it redirects", async () => (await statusesOf(known.slug)).join() === "302", UNTIL_MS_MAX);
    expect(await statusOf("readyz")).toBe(200);
    expect([await statusOf(unseen.slug), await statusOf("missing")]).toEqual([503, 503]);
    // Never as it was before it changed.
    expect(await statusesOf(paused.slug)).toEqual([404]);
    expect(await statusesOf(deleted.slug)).toEqual([410]);
    expect(await statusesOf(known.slug)).toEqual([302]);
  }, 600_000);

  test("it serves everything as soon as the server is back, and what changed meanwhile", async () => {
    await postgres.start();
    await until("an unseen link works", async () => (await statusOf(unseen.slug)) === 302, UNTIL_MS_MAX);
    await until(
      "the API works",
      async () => (await links.ask("GET", `/links/${known.id}`)).status === 200,
      UNTIL_MS_MAX,
    );
    await links.act(known.id, "pause");
    expect(await statusOf(known.slug)).toBe(404);
  }, 600_000);

  test("a node that never served a link doesn't start, and says why without the password", async () => {
    await postgres.stop();
    const { code, stderr } = await runKurz(["serve"], {
      KURZ_DATA_DIR: join(directory, "new"),
      KURZ_PORT: String(freePort()),
      ...env,
    });
    expect(code).toBe(1);
    expect(stderr.trim().split("\n")).toHaveLength(1);
    expect(stderr).toContain("can't be reached");
    expect(stderr).not.toContain("a%20password");
    expect(stderr).not.toContain("a password");
  }, 600_000);
});
