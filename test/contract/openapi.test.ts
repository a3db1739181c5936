import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import { type Api, outcomeOf, startApi } from "#test/support/api-client.ts";
import { askOnce } from "#test/support/raw-connection.ts";
import published from "../../docs/openapi.json" with { type: "json" };

const BASE_URL = "https://links.example";
const paths = ["/api/v1/openapi.json", "/api/v1/openapi.yaml"] as const;

let api: Api;

beforeAll(async () => {
  api = await startApi({ KURZ_BASE_URL: BASE_URL });
});
afterAll(() => api.stop());

const read = (path: string, headers: Readonly<Record<string, string>> = {}, method = "GET") =>
  fetch(api.server.url + path, { method, headers, redirect: "manual" });

describe("the document", () => {
  test("is the published one, with the address of this deployment", async () => {
    const contact = { ...published.info.contact, url: BASE_URL };
    const expected = { ...published, servers: [{ url: BASE_URL }], info: { ...published.info, contact } };
    expect(await (await read(paths[0])).json()).toEqual(expected);
  });

  test("is the same in JSON and in YAML", async () => {
    const [json, yaml] = await Promise.all(paths.map((path) => read(path)));
    expect(Bun.YAML.parse((await yaml?.text()) ?? "")).toEqual(await json?.json());
  });

  test("names no other host, whatever the request claims", async () => {
    const { text } = await askOnce(api.server.port, {
      target: paths[0],
      headers: [
        ["Host", "evil.example"],
        ["X-Forwarded-Host", "evil.example"],
      ],
    });
    expect(text).not.toContain("evil.example");
  });

  test("contains no token, path or address of this machine", async () => {
    const text = await (await read(paths[0])).text();
    for (const secret of [api.server.dataDir, "127.0.0.1", "localhost"]) expect(text).not.toContain(secret);
  });
});

describe.each(paths.map((path) => [path]))("%s", (path) => {
  const type = path.endsWith("json") ? "application/json; charset=utf-8" : "application/yaml; charset=utf-8";

  test("requires no token, ignores any, and may be read by every origin", async () => {
    for (const headers of [{}, { Authorization: "Bearer nonsense" }, { Origin: "https://anyone.example" }]) {
      const answer = await read(path, headers);
      expect(answer.status).toBe(200);
      expect(Object.fromEntries(answer.headers)).toMatchObject({
        "content-type": type,
        "cache-control": "public, max-age=300",
        "access-control-allow-origin": "*",
        "x-content-type-options": "nosniff",
        "x-request-id": expect.stringMatching(/^req_[0-9a-z]{26}$/),
        "strict-transport-security": expect.stringContaining("max-age="),
      });
      expect(answer.headers.has("Access-Control-Allow-Credentials")).toBe(false);
      expect(answer.headers.has("RateLimit")).toBe(false);
    }
  });

  test("answers 304 if it hasn't changed", async () => {
    const tag = (await read(path)).headers.get("ETag") ?? "";
    expect(tag).toMatch(/^(W\/)?"[^"]+"$/);
    for (const known of [tag, `"other", ${tag}`]) {
      const answer = await read(path, { "If-None-Match": known });
      expect([answer.status, await answer.text(), answer.headers.get("ETag")]).toEqual([304, "", tag]);
      expect(answer.headers.get("X-Request-Id")).toMatch(/^req_/);
    }
    expect((await read(path, { "If-None-Match": '"other"' })).status).toBe(200);
  });

  test("is offered as a file if asked for", async () => {
    expect((await read(path)).headers.has("Content-Disposition")).toBe(false);
    const name = path.split("/").at(-1);
    const answer = await read(`${path}?download=1`);
    expect(answer.headers.get("Content-Disposition")).toBe(`attachment; filename="${name}"`);
    expect(await answer.text()).toBe(await (await read(path)).text());
  });

  test("is compressed if the client accepts that, with Vary for caches", async () => {
    const plain = await askOnce(api.server.port, { target: path });
    const packed = await askOnce(api.server.port, { target: path, headers: [["Accept-Encoding", "gzip, br"]] });
    expect(plain.headers.has("Content-Encoding")).toBe(false);
    expect(packed.headers.get("Content-Encoding")).toBe("gzip");
    for (const { headers } of [plain, packed]) expect(headers.get("Vary")).toContain("Accept-Encoding");
    expect(Number(packed.headers.get("Content-Length"))).toBeLessThan(Number(plain.headers.get("Content-Length")) / 4);
  });

  test("answers HEAD like GET without the body, and no other method", async () => {
    const [get, head] = await Promise.all(
      ["GET", "HEAD"].map((method) => askOnce(api.server.port, { method, target: path })),
    );
    const lasting = (headers: Headers | undefined) =>
      Object.fromEntries([...(headers ?? [])].filter(([name]) => name !== "date" && name !== "x-request-id"));
    expect([head?.status, head?.text]).toEqual([200, ""]);
    expect(lasting(head?.headers)).toEqual(lasting(get?.headers));
    const post = await api.call({ method: "POST", path });
    expect([outcomeOf(post), post.headers.get("Allow")]).toEqual(["405 method_not_allowed", "GET, HEAD"]);
  });
});
