import { afterAll, afterEach, describe, expect, test } from "bun:test";
import { askOnce } from "#test/support/raw-connection.ts";
import { chunked } from "#test/support/raw-message.ts";
import { echo, headersBehind, LARGE_TEXT, openPassThroughStage } from "./fixtures/pass-through-stage.ts";

const stage = openPassThroughStage();
const { startServer } = stage;
afterEach(() => stage.reset());
afterAll(() => stage.stop());

describe("a request passed to control", () => {
  test("keeps its method, target, body and ordinary headers", async () => {
    const { url } = startServer();
    const seen = await echo(`${url}/api/v1/links?q=a%20b&x=%C3%A9`, {
      method: "POST",
      body: '{"a":"é"}',
      headers: { "content-type": "application/json", authorization: "Bearer t", "accept-encoding": "br" },
    });
    expect(seen).toMatchObject({
      method: "POST",
      url: "http://base.example/api/v1/links?q=a%20b&x=%C3%A9",
      body: '{"a":"é"}',
      headers: { "content-type": "application/json", authorization: "Bearer t", "accept-encoding": "br" },
    });
    expect(seen.headers["content-length"]).toBe("10");
  });

  test.each(["GET", "DELETE", "PATCH", "PUT", "OPTIONS"])("with %s and no body arrives without one", async (method) => {
    const { url } = startServer();
    expect(await echo(`${url}/api/echo`, { method })).toMatchObject({ method, body: "" });
  });

  test("arrives whole in chunks, and with half a megabyte of body", async () => {
    const { url, port } = startServer();
    const { text } = await askOnce(port, {
      method: "POST",
      target: "/api/echo",
      headers: [
        ["Transfer-Encoding", "chunked"],
        ["Authorization", "Bearer t"],
      ],
      body: chunked("abcdef", 3),
    });
    expect(text).toContain('"body":"abcdef"');
    const body = LARGE_TEXT.slice(0, 500_000);
    expect((await echo(`${url}/console/echo`, { method: "POST", body })).body).toBe(body);
  });

  test("with GET doesn't make control wait for a body", async () => {
    const { port } = startServer();
    const { status, text } = await askOnce(port, { target: "/api/echo", body: "abc" });
    expect(status).toBe(200);
    expect(text).not.toContain('content-length":"3');
  });

  test("can't set the headers that control trusts", async () => {
    const { url } = startServer();
    const { headers } = await echo(`${url}/api/echo`, {
      headers: {
        "x-kurz-client": "6.6.6.6",
        "x-kurz-request-id": "forged",
        "x-kurz-account": "acc_1",
        "x-forwarded-for": "6.6.6.6",
        "x-forwarded-proto": "https",
        "x-forwarded-host": "evil.example",
        forwarded: "for=6.6.6.6",
        "x-real-ip": "6.6.6.6",
        host: "evil.example",
      },
    });
    expect(headers).toMatchObject({
      "x-kurz-client": "203.0.113.9",
      "x-kurz-request-id": "req_test0001",
      host: "base.example",
    });
    expect(JSON.stringify(headers)).not.toMatch(/6\.6\.6\.6|forged|evil|acc_1|forwarded/);
  });

  test("carries the scheme from the innermost trusted proxy", async () => {
    const seen = async (hops: number, value: string): Promise<string | undefined> =>
      (
        await echo(`${startServer({ headersFor: headersBehind(hops) }).url}/api/echo`, {
          headers: { "x-forwarded-proto": value },
        })
      ).headers["x-forwarded-proto"];
    expect(await seen(1, "https")).toBe("https");
    expect(await seen(1, "https, http")).toBe("http");
    expect(await seen(2, "http, https, http")).toBe("https");
    expect(await seen(3, "HTTPS")).toBe("https");
  });

  test("loses hop-by-hop headers and those that Connection names", async () => {
    const { port } = startServer();
    const { status, text } = await askOnce(port, {
      target: "/api/echo",
      headers: [
        ["Connection", "keep-alive, x-secret, @"],
        ["X-Secret", "1"],
        ["TE", "trailers"],
        ["Upgrade", "h2c"],
        ["Keep-Alive", "5"],
        ["Proxy-Authorization", "x"],
      ],
    });
    expect(status).toBe(200);
    expect(text).not.toMatch(/x-secret|trailers|h2c|proxy-authorization|"keep-alive":/);
  });
});
