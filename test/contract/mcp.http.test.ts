import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import { type Api, type Caller, newLink, startApi } from "#test/support/api-client.ts";
import { changeRecords } from "#test/support/change-records.ts";
import { openTools } from "#test/support/mcp-client.ts";
import { until } from "#test/support/until.ts";

const ALLOWED = "https://app.example";

let api: Api;
let owner: Caller;

beforeAll(async () => {
  api = await startApi({ KURZ_CORS_ALLOWED_ORIGINS: ALLOWED });
  owner = await api.newCaller();
});
afterAll(() => api.stop());

interface Sent {
  readonly method?: string;
  readonly token?: string | null;
  readonly message?: unknown;
  readonly body?: string;
  readonly headers?: Readonly<Record<string, string>>;
}

const ping = { jsonrpc: "2.0", id: 1, method: "ping" };
const callOf = (name: string, args: unknown, id = 1) => ({
  ...{ jsonrpc: "2.0", id, method: "tools/call" },
  params: { name, arguments: args },
});

async function send({ method = "POST", token = owner.token, message = ping, body, headers = {} }: Sent = {}) {
  const response = await fetch(`${api.server.url}/mcp`, {
    method,
    redirect: "manual",
    headers: {
      accept: "application/json, text/event-stream",
      ...(method === "POST" && { "content-type": "application/json" }),
      ...(token !== null && { authorization: `Bearer ${token}` }),
      ...headers,
    },
    ...(method === "POST" && { body: body ?? JSON.stringify(message) }),
  });
  const text = await response.text();
  const isJson = response.headers.get("content-type")?.startsWith("application/json") && text !== "";
  return { status: response.status, headers: response.headers, text, json: isJson ? JSON.parse(text) : undefined };
}

const outcomeOf = ({ status, json }: Awaited<ReturnType<typeof send>>): string =>
  `${status}${json?.error ? ` ${json.error.code}` : ""}`;

describe("a token is needed", () => {
  test("and asked for, whatever the message", async () => {
    for (const sent of [{}, { message: callOf("links_list", {}) }, { body: "{" }, { body: "x".repeat(5_000_000) }]) {
      const answer = await send({ ...sent, token: null });
      expect(outcomeOf(answer)).toBe("401 missing_token");
      expect(answer.headers.get("www-authenticate")).toBe('Bearer realm="api"');
      expect(answer.headers.get("x-request-id")).toBe(answer.json.error.request_id);
    }
  });

  test("that works: others are refused before the message is read", async () => {
    const revoked = await api.operator.newToken(owner.account);
    await api.operator.revokeToken(revoked);
    for (const [token, code] of [
      ["nonsense", "invalid_token"],
      [revoked, "token_revoked"],
    ] as const) {
      const answer = await send({ token, body: "{" });
      expect(outcomeOf(answer)).toBe(`401 ${code}`);
      expect(answer.headers.get("www-authenticate")).toBe('Bearer realm="api", error="invalid_token"');
    }
  });

  test("of an account that may use the API", async () => {
    const { token, account } = await api.newCaller({ plan: "free" });
    expect(outcomeOf(await send({ token }))).toBe("403 plan_limit");
    expect(outcomeOf(await send({ token, message: callOf("me_get", {}) }))).toBe("403 plan_limit");
    expect(outcomeOf(await send({ token, body: "{" }))).toBe("403 plan_limit");
    await api.operator.suspend(account);
    expect(outcomeOf(await send({ token, body: "{" }))).toBe("403 account_suspended");
  });
});

describe("the transport", () => {
  test("answers in JSON, without a session, so every node can answer", async () => {
    const message = {
      ...{ jsonrpc: "2.0", id: 1, method: "initialize" },
      params: { protocolVersion: "2025-06-18", capabilities: {}, clientInfo: { name: "test", version: "1" } },
    };
    const answer = await send({ message });
    expect(answer.status).toBe(200);
    expect(answer.headers.get("content-type")).toBe("application/json");
    expect(answer.headers.has("mcp-session-id")).toBe(false);
    expect(answer.json.result).toMatchObject({
      protocolVersion: "2025-06-18",
      serverInfo: { name: "kurz" },
      capabilities: { tools: {} },
    });
    expect(answer.json.result.instructions).toContain("short links");
    expect(outcomeOf(await send({ message: { jsonrpc: "2.0", method: "notifications/initialized" } }))).toBe("202");
  });

  test("has no event stream and no session to end", async () => {
    for (const method of ["GET", "DELETE", "PUT"]) {
      const answer = await send({ method });
      expect(outcomeOf(answer)).toBe("405 method_not_allowed");
      expect(answer.headers.get("allow")).toBe("POST");
    }
  });

  test("refuses what isn't a message", async () => {
    const refused: readonly (readonly [string, Sent])[] = [
      ["400 invalid_json", { body: "{" }],
      ["400 invalid_json", { body: "" }],
      ["422 validation_failed", { message: [ping, ping] }],
      ["422 validation_failed", { message: "ping" }],
      ["422 validation_failed", { body: `${"[".repeat(5000)}${"]".repeat(5000)}` }],
      ["400 -32600", { message: { id: 1 } }],
      ["400 -32600", { message: { ...ping, jsonrpc: "1.0" } }],
      ["415 unsupported_media_type", { headers: { "content-type": "text/plain" } }],
      ["406 -32000", { headers: { accept: "text/html" } }],
      ["400 -32000", { headers: { "mcp-protocol-version": "1999-01-01" } }],
      ["413 payload_too_large", { body: JSON.stringify({ ...ping, params: { x: "x".repeat(4_200_000) } }) }],
    ];
    for (const [outcome, sent] of refused) expect(outcomeOf(await send(sent))).toBe(outcome);
  });

  test("a call that isn't one is an error of the protocol", async () => {
    for (const [code, message] of [
      [-32601, { ...ping, method: "resources/list" }],
      [-32602, callOf("no_such_tool", {})],
    ] as const) {
      expect((await send({ message })).json.error.code).toBe(code);
    }
    const wrong = await send({ message: callOf("links_list", "nonsense") });
    expect(wrong.json.error.message).toContain("arguments");
  });

  test("an operation's own limits hold", async () => {
    const note = "x".repeat(70_000);
    const { json } = await send({ message: callOf("links_create", { destination_url: "https://example.com/", note }) });
    expect(json.result.structuredContent.error.code).toBe("payload_too_large");
    const { id } = await newLink(owner.kurz);
    const operations = Array.from({ length: 1000 }, () => ({ op: "update", id, link: { title: "x".repeat(200) } }));
    const many = await send({ message: callOf("links_bulk", { operations }) });
    expect(many.json.result.structuredContent).toMatchObject({ succeeded: 1000 });
  });
});

describe("pages of other sites", () => {
  test("are refused, whatever name they have for this server", async () => {
    for (const origin of ["https://evil.example", "null", "http://localhost.evil.example", `${ALLOWED}.evil.example`]) {
      expect(outcomeOf(await send({ headers: { origin } }))).toBe("403 cross_site");
    }
  });

  test("may call tools if the operator allows it", async () => {
    const { headers, status } = await send({ headers: { origin: ALLOWED } });
    expect([status, headers.get("access-control-allow-origin")]).toEqual([200, ALLOWED]);
  });

  test.each([undefined, "2026-07-28"])("may send what the protocol's client sends (%p)", async (revision) => {
    const sent = new Set<string>();
    const tools = await openTools(api.server.url, owner.token, revision, (url, init) => {
      if (init?.method === "POST") for (const name of new Headers(init.headers).keys()) sent.add(name);
      return fetch(url, init);
    });
    await tools.call("me_get");
    await tools.client.close();
    expect(sent).toContain(revision === undefined ? "mcp-protocol-version" : "mcp-name");
    // Browsers send it without asking.
    sent.delete("accept");
    const asked = await fetch(`${api.server.url}/mcp`, {
      method: "OPTIONS",
      headers: {
        origin: ALLOWED,
        "access-control-request-method": "POST",
        "access-control-request-headers": [...sent].toSorted().join(","),
      },
    });
    expect(asked.status).toBe(204);
    const allowed = asked.headers.get("access-control-allow-headers")?.toLowerCase().split(", ");
    expect(allowed).toEqual(expect.arrayContaining([...sent]));
  });

  test("the instance's own may", async () => {
    const { origin } = new URL(api.server.url.replace("127.0.0.1", "localhost"));
    expect((await send({ headers: { origin } })).status).toBe(200);
  });
});

describe("requests are counted as others are", () => {
  const remainingOf = ({ headers }: { headers: Headers }) => Number(headers.get("x-ratelimit-remaining"));

  test("one for each message, however it ends", async () => {
    const { token } = await api.newCaller({ rateLimit: 50 });
    const messages: readonly Sent[] = [
      { message: ping },
      { message: { ...ping, method: "tools/list" } },
      { message: callOf("me_get", {}) },
      { message: callOf("links_get", { id: "." }) },
      { message: callOf("no_such_tool", {}) },
      { body: "{" },
      { body: JSON.stringify({ ...ping, params: { x: "x".repeat(4_200_000) } }) },
      { message: [ping] },
      { headers: { "content-type": "text/plain" } },
      { headers: { origin: "https://evil.example" } },
    ];
    const left: number[] = [];
    for (const sent of messages) left.push(remainingOf(await send({ token, ...sent })));
    expect(left).toEqual([49, 48, 47, 46, 45, 44, 43, 42, 41, 40]);
    const { headers } = await api.call({ path: "/api/v1/me", token });
    expect(remainingOf({ headers })).toBe(39);
  });

  test("many changes at once cost as many requests as they do in the API", async () => {
    const { token, kurz } = await api.newCaller({ rateLimit: 200 });
    const { id } = await newLink(kurz);
    const { headers: before } = await api.call({ path: "/api/v1/me", token });
    const operations = Array.from({ length: 100 }, () => ({ op: "pause", id }));
    const answer = await send({ token, message: callOf("links_bulk", { operations }) });
    const inApi = await api.call({ method: "POST", path: "/api/v1/links/bulk", token, json: { operations } });
    const left = [{ headers: before }, answer, inApi].map(remainingOf);
    expect((left[0] ?? 0) - (left[1] ?? 0)).toBeGreaterThan(1);
    expect((left[0] ?? 0) - (left[1] ?? 0)).toBe((left[1] ?? 0) - (left[2] ?? 0));
  });

  test("beyond the limit a message isn't read, and the answer says when to send it again", async () => {
    const { token } = await api.newCaller({ rateLimit: 1 });
    await send({ token });
    for (const sent of [{ message: callOf("me_get", {}) }, { body: "{" }, { body: "x".repeat(5_000_000) }]) {
      const refused = await send({ token, ...sent });
      expect(outcomeOf(refused)).toBe("429 rate_limited");
      expect(refused.json.error.message).toMatch(/^Too many requests\. Try again in \d+ s\.$/);
      expect(Number(refused.headers.get("retry-after"))).toBeWithin(1, 62);
    }
  });
});

test("a call is logged and audited as the operation that it is, with the request's id", async () => {
  const { headers, json } = await send({
    message: callOf("links_create", { destination_url: "https://example.com/x" }),
  });
  const requestId = headers.get("x-request-id") ?? "";
  const linesOf = () =>
    api.server.output.stdout
      .split("\n")
      .filter((line) => line.includes(requestId))
      .map((line) => JSON.parse(line) as { route: string; status: number; account: string });
  await until("both lines are written", () => linesOf().length === 2);
  expect(linesOf()).toMatchObject([
    { route: "links.create", status: 201, account: owner.account },
    { route: "mcp.message", status: 200, account: owner.account },
  ]);
  const { id } = json.result.structuredContent;
  const { data } = await owner.kurz.links.history(id);
  expect(data).toMatchObject([{ action: "created", via: "api", by: { type: "token" } }]);
});

describe("the slug", () => {
  test("is reserved", async () => {
    const refused = await api.call({
      ...{ method: "POST", path: "/api/v1/links", token: owner.token },
      json: { destination_url: "https://example.com/", slug: "mcp" },
    });
    expect(refused.status).toBe(422);
  });

  test("of an older link still redirects, and tools work beside it", async () => {
    const { id } = await newLink(owner.kurz, { destination_url: "https://example.com/older" });
    changeRecords(api.server, "update links set key = 'mcp' where id = ?", id);
    const opened = await fetch(`${api.server.url}/mcp`, { redirect: "manual", headers: { accept: "text/html" } });
    expect([opened.status, opened.headers.get("location")]).toEqual([302, "https://example.com/older"]);
    const tools = await openTools(api.server.url, owner.token);
    expect((await tools.list()).length).toBeGreaterThan(10);
    await tools.client.close();
  });
});
