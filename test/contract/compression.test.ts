import { afterAll, beforeAll, expect, test } from "bun:test";
import { type Api, type Caller, joinApi, newLink } from "#test/support/api-client.ts";

const LINKS = 20;
const LIST = "/api/v1/links";

let api: Api;
let owner: Caller;

beforeAll(async () => {
  api = await joinApi();
  owner = await api.newCaller();
  for (let made = 0; made < LINKS; made += 1) await newLink(owner.kurz, { title: `Grüße ${made}` });
});
afterAll(() => api.stop());

/** The answer as sent over the wire. */
const ask = (path: string, accepted: string, method = "GET"): Promise<Response> =>
  fetch(api.server.url + path, {
    method,
    headers: { authorization: `Bearer ${owner.token}`, "accept-encoding": accepted },
    decompress: false,
  });

test("a list is compressed if the client accepts that, and is the same list", async () => {
  const plain = await ask(LIST, "identity");
  const packed = await ask(LIST, "gzip, br");
  expect(plain.headers.get("content-encoding")).toBeNull();
  expect(packed.headers.get("content-encoding")).toBe("gzip");
  for (const { headers } of [plain, packed]) {
    expect(headers.get("vary")).toBe("Accept-Encoding");
    expect(headers.get("content-type")).toBe("application/json; charset=utf-8");
  }
  const [text, bytes] = [await plain.text(), await packed.arrayBuffer()];
  expect(packed.headers.get("content-length")).toBe(String(bytes.byteLength));
  expect(bytes.byteLength).toBeLessThan(text.length / 4);
  expect(new TextDecoder().decode(Bun.gunzipSync(bytes))).toBe(text);
  const head = await ask(LIST, "gzip", "HEAD");
  for (const name of ["content-encoding", "content-length", "content-type", "vary"]) {
    expect(head.headers.get(name)).toBe(packed.headers.get(name) ?? "");
  }
});

test("a client that names no encoding gets none", async () => {
  const { headers, json } = await api.raw({ target: LIST, token: owner.token });
  expect(headers.get("content-encoding")).toBeNull();
  expect(json).toMatchObject({ has_more: false });
});

test("a CSV report is compressed too", async () => {
  const response = await ask("/api/v1/analytics?format=csv&interval=90d", "gzip");
  expect(response.headers.get("content-encoding")).toBe("gzip");
  expect(response.headers.get("content-type")).toBe("text/csv; charset=utf-8");
  expect(new TextDecoder().decode(Bun.gunzipSync(await response.arrayBuffer()))).toStartWith("start,clicks,");
});

test("an answer with an entity tag isn't compressed, so the tag is valid in If-Match", async () => {
  const title = "a".repeat(200);
  const tags = Array.from({ length: 20 }, (_, index) => `tag-${index}-${"x".repeat(30)}`);
  const { id } = await newLink(owner.kurz, { title, tags });
  const response = await ask(`${LIST}/${id}`, "gzip");
  expect((await response.clone().text()).length).toBeGreaterThan(1024);
  expect(response.headers.get("content-encoding")).toBeNull();
  expect(response.headers.get("etag")).toBe('"1"');
  const changed = await api.call({
    method: "PATCH",
    path: `${LIST}/${id}`,
    token: owner.token,
    headers: { "If-Match": '"1"', "Content-Type": "application/merge-patch+json" },
    json: { title: "Changed" },
  });
  expect(changed.status).toBe(200);
});
