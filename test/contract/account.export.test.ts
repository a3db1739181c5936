import { afterAll, beforeAll, expect, setDefaultTimeout, test } from "bun:test";
import { existsSync, readdirSync, statSync } from "node:fs";
import { join } from "node:path";
import { openAccountLab, recordsOf } from "#test/support/account-lab.ts";
import { type Api, type Caller, joinApi, newLink, outcomeOf } from "#test/support/api-client.ts";
import { click, untilReported } from "#test/support/clicks.ts";
import { freePort } from "#test/support/free-port.ts";
import { linkQuery } from "#test/support/test-links.ts";
import { until } from "#test/support/until.ts";

setDefaultTimeout(600_000);

let api: Api;
let owner: Caller;
beforeAll(async () => {
  api = await joinApi();
  owner = await api.newCaller();
  const link = await newLink(owner.kurz, { slug: "exported", tags: ["spring"] });
  await owner.kurz.links.update(link.id, { title: "Changed" });
  await owner.kurz.tags.update("spring", { color: "blue" });
  await click(api.server, link);
  await untilReported(owner.kurz, 1);
  // The link's own counter is written apart from the reports.
  await until("the link counts it", async () => (await owner.kurz.links.get(link.id)).click_count === 1);
});
afterAll(() => api.stop());

const bytesOf = async (body: ReadableStream<Uint8Array>) => new Uint8Array(await new Response(body).arrayBuffer());

test("a token with the three scopes gets the account as a file", async () => {
  const { token } = await api.newCaller({ scopes: "links:read,analytics:read,domains:read" });
  const response = await fetch(`${api.server.url}/api/v1/export`, { headers: { Authorization: `Bearer ${token}` } });
  expect(response.status).toBe(200);
  expect(response.headers.get("content-type")).toBe("application/gzip");
  expect(response.headers.get("content-encoding")).toBeNull();
  expect(response.headers.get("content-disposition")).toMatch(/^attachment; filename="kurz-export-.*\.tar\.gz"$/);
  expect((await recordsOf(new Uint8Array(await response.arrayBuffer()))).links).toEqual([]);
});

test("the client streams it", async () => {
  const found = await recordsOf(await bytesOf(await owner.kurz.account.export()));
  expect(found.links).toMatchObject([{ slug: "exported", title: "Changed", click_count: 1 }]);
  expect(found.history).toMatchObject([{ version: 2, action: "updated" }]);
  expect(found.tags).toEqual([{ name: "spring", color: "blue" }]);
  expect(found.counts).toMatchObject([{ link: found.links[0]?.id, clicks: 1 }]);
});

test("a token that lacks one of the scopes is told which", async () => {
  for (const [scopes, missing] of [
    ["analytics:read,domains:read", "links:read"],
    ["links:read,domains:read", "analytics:read"],
    ["links:read,analytics:read", "domains:read"],
  ] as const) {
    const { token } = await api.newCaller({ scopes });
    const answer = await api.call({ path: "/api/v1/export", token });
    expect(outcomeOf(answer)).toBe("403 insufficient_scope");
    expect(answer.json).toMatchObject({ error: { details: { required_scope: missing } } });
  }
});

test("another Kurz reads it by address and token, and says why if it can't", async () => {
  const lab = await openAccountLab();
  const { url } = api.server;
  const token = await api.operator.newToken(owner.account, { scopes: "links:read,analytics:read,domains:read" });
  expect(await lab.import({ url, token })).toMatchObject({
    state: "done",
    links: { created: 1 },
    counts: { clicks: 1 },
  });
  const { data } = await lab.links.list(lab.caller, linkQuery({ slug: "exported" }));
  expect(data).toMatchObject([{ title: "Changed", click_count: 1, version: 2, created_via: "import" }]);
  const reader = await api.operator.newToken(owner.account, { scopes: "links:read" });
  for (const [request, problem] of [
    [{ url, token: "kurz_x" }, "doesn't accept the token"],
    [{ url, token: reader }, "It needs the scopes"],
    [{ url: "ftp://s.example", token }, "http"],
    [{ url: `http://127.0.0.1:${freePort()}`, token }, "can't be read"],
  ] as const) {
    const failed = await lab.import(request);
    expect(failed.state).toBe("failed");
    expect(failed.problem).toContain(problem);
    expect(failed.problem).not.toContain(token);
  }
  await lab.close();
});

test("the command writes a file that nobody else can read, and replaces none", async () => {
  const directory = api.server.dataDir;
  const file = join(directory, "..", `export-${crypto.randomUUID()}.tar.gz`);
  const run = (account: string) => api.server.kurz(["export", "--account", account, file]);
  const { stdout } = await run(owner.account);
  expect(stdout).toContain(`The account ${owner.account} is in ${file}`);
  expect(statSync(file).mode & 0o777).toBe(0o600);
  const { links } = await recordsOf(new Uint8Array(await Bun.file(file).arrayBuffer()));
  expect(links).toHaveLength(1);
  expect((await run(owner.account)).stderr).toContain("exists; choose another name");
  await Bun.file(file).delete();
  expect((await run("acc_nobody")).stderr).toContain('there is no account "acc_nobody"');
  expect(existsSync(file)).toBe(false);
  expect(readdirSync(join(directory, "..")).filter((name) => name.endsWith(".part"))).toEqual([]);
});
