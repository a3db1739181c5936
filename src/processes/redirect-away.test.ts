import { Database } from "bun:sqlite";
import { afterEach, beforeEach, expect, test } from "bun:test";
import { join } from "node:path";
import { dataPaths } from "#config/data-paths.ts";
import { loadConfig } from "#config/load-config.ts";
import { migrateSqlite } from "#engines/records/sqlite/migrate.ts";
import { type LinkFile, openLinkFile } from "#test/support/link-file.ts";
import { openRedirect } from "./redirect.ts";

let file: LinkFile;
const stops: (() => Promise<void>)[] = [];

beforeEach(() => {
  file = openLinkFile();
});

afterEach(async () => {
  await Promise.all(stops.splice(0).map((stop) => stop()));
  file.close();
});

function startServer(dataDir: string): ReturnType<typeof openRedirect> {
  const server = openRedirect({ ...loadConfig({ KURZ_DATA_DIR: dataDir }), port: 0 });
  stops.push(server.stop);
  return server;
}

function start(dataDir: string): (path: string) => Promise<Response> {
  const server = startServer(dataDir);
  return (path) => fetch(`http://127.0.0.1:${server.port}${path}`, { redirect: "manual" });
}

async function untilStatus(status: number, open: () => Promise<Response>): Promise<void> {
  const deadline = Date.now() + 5000;
  while ((await open()).status !== status) if (Date.now() > deadline) throw new Error(`it never answered ${status}`);
}

test("with the records engine away known links are served, unknown ones are 503 and not 404, and it recovers", async () => {
  file.add({ slug: "warm" });
  file.add({ slug: "cold" });
  const open = start(file.dataDir);
  // The change log's first answer clears the cache, and on a busy machine visitors don't wait for it; readiness does.
  for (const path of ["/warm", "/readyz", "/warm"]) await open(path);
  const breaker = new Database(file.path);
  breaker.run("alter table links rename to links_away");
  const cold = await open("/cold");
  expect([cold.status, cold.headers.get("retry-after")]).toEqual([503, "1"]);
  expect([(await open("/warm")).status, (await open("/readyz")).status]).toEqual([302, 503]);
  expect((await open("/healthz")).status).toBe(200);
  breaker.run("alter table links_away rename to links");
  breaker.close();
  await untilStatus(302, () => open("/cold"));
  expect((await open("/readyz")).status).toBe(200);
});

test("with control away people get a page and programs the error envelope", async () => {
  const { port } = startServer(file.dataDir);
  const typeOf = async (path: string, headers: Record<string, string>): Promise<string> => {
    const { status, headers: got } = await fetch(`http://127.0.0.1:${port}${path}`, { headers });
    return `${status} ${got.get("content-type")?.split(";")[0]}`;
  };
  const person = { accept: "text/html,*/*;q=0.8", "sec-fetch-mode": "navigate" };
  const program = { accept: "*/*" };
  for (const path of ["/console", "/console/a/x/links", "/console/api/links/export", "/docs"]) {
    expect([path, await typeOf(path, person)]).toEqual([path, "503 text/html"]);
  }
  for (const path of ["/api/v1/me", "/console/api/state"]) {
    expect([path, await typeOf(path, program)]).toEqual([path, "503 application/json"]);
  }
  expect(await typeOf("/api/v1/me", person)).toBe("503 application/json");
});

test("it starts before the file exists and serves when it does", async () => {
  const dataDir = join(file.dataDir, "later");
  const open = start(dataDir);
  expect([(await open("/nosuch")).status, (await open("/readyz")).status]).toEqual([503, 503]);
  expect((await open("/healthz")).status).toBe(200);
  migrateSqlite(dataPaths(dataDir).records);
  await untilStatus(200, () => open("/readyz"));
  expect((await open("/nosuch")).status).toBe(404);
});
