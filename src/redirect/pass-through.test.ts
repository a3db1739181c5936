import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from "bun:test";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { askOnce, RawConnection } from "#test/support/raw-connection.ts";
import { chunked } from "#test/support/raw-message.ts";
import { until } from "#test/support/until.ts";
import { Answers } from "./answers.ts";
import { ControlShares } from "./control-shares.ts";
import { PassThrough, type PassThroughOptions } from "./pass-through.ts";
import { requestHeadersFor } from "./pass-through-headers.ts";
import { targetTextOf } from "./request-target.ts";

const directory = mkdtempSync(join(tmpdir(), "kurz-test-"));
const controlSocket = join(directory, "control.sock");
const big = "0123456789".repeat(100_000);
let control: Bun.Server<undefined>;
let arrived: PromiseWithResolvers<void>;
let arrivals = 0;
let release: PromiseWithResolvers<void>;
let cancelled: PromiseWithResolvers<void>;
const servers: Bun.Server<undefined>[] = [];

beforeAll(() => startControl());

beforeEach(() => {
  arrived = Promise.withResolvers();
  arrivals = 0;
  release = Promise.withResolvers();
  cancelled = Promise.withResolvers();
});

afterEach(async () => {
  release.resolve();
  for (const server of servers.splice(0)) await server.stop(true);
});

afterAll(async () => {
  await control.stop(true);
  rmSync(directory, { recursive: true });
});

/** Stands for control, which is another process. */
function startControl(): void {
  control = Bun.serve({
    unix: controlSocket,
    routes: {
      "/api/cookies": () => {
        const headers = new Headers();
        headers.append("set-cookie", "a=1");
        headers.append("set-cookie", "b=2; Expires=Wed, 01 Jan 2031 00:00:00 GMT");
        return new Response(null, { status: 204, headers });
      },
      "/api/moved": () => new Response(null, { status: 302, headers: { location: "/api/echo" } }),
      "/api/unchanged": () => new Response(null, { status: 304, headers: { etag: '"7"' } }),
      "/api/zipped": () =>
        new Response(Bun.gzipSync("zipped"), { headers: { "content-encoding": "gzip", "content-type": "text/plain" } }),
      "/api/big": () => new Response(big, { headers: { "x-request-id": "from_control" } }),
      "/api/hops": () =>
        new Response("x", {
          headers: { connection: "x-private", "x-private": "1", "keep-alive": "timeout=9", te: "x" },
        }),
      "/api/wait": async () => {
        arrived.resolve();
        arrivals += 1;
        await release.promise;
        return new Response("waited");
      },
      "/api/events": () =>
        new Response(
          new ReadableStream({
            async start(controller) {
              controller.enqueue(new TextEncoder().encode("data: tick\n\n"));
              await release.promise;
              controller.close();
            },
            cancel: () => cancelled.resolve(),
          }),
          { headers: { "content-type": "text/event-stream" } },
        ),
    },
    async fetch(request) {
      const headers = Object.fromEntries(request.headers);
      return Response.json({ method: request.method, url: request.url, headers, body: await request.text() });
    },
  });
}

const headersBehind =
  (proxyHops: number): PassThroughOptions["headersFor"] =>
  (from, facts) =>
    requestHeadersFor(from, { ...facts, baseHost: "base.example", proxyHops });

interface ServerOptions extends Partial<PassThroughOptions> {
  readonly inFlightMax?: number;
  readonly streamsMax?: number;
}

function startServer({ inFlightMax, streamsMax, ...options }: ServerOptions = {}): { url: string; port: number } {
  const shares = new ControlShares(inFlightMax, streamsMax);
  const answers = new Answers({
    isHttps: false,
    shortDomain: "s.example",
    abuseContact: null,
    requestIdOf: () => "req_test",
  });
  const passThrough = new PassThrough({
    socketPath: controlSocket,
    headersFor: headersBehind(0),
    answers,
    shares,
    ...options,
  });
  const server = Bun.serve({
    hostname: "127.0.0.1",
    port: 0,
    fetch: (request, self) =>
      passThrough.pass({
        request,
        server: self,
        target: targetTextOf(request.url),
        clientAddress: request.headers.get("x-test-client") ?? "203.0.113.9",
        requestId: "req_test0001",
      }),
  });
  servers.push(server);
  return { url: `http://127.0.0.1:${server.port}`, port: server.port ?? 0 };
}

interface Echo {
  readonly method: string;
  readonly url: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string;
}

const echo = async (url: string, init?: RequestInit): Promise<Echo> => (await fetch(url, init)).json() as Promise<Echo>;

describe("what goes to control", () => {
  test("method, target, body and ordinary headers arrive as they were", async () => {
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

  test.each(["GET", "DELETE", "PATCH", "PUT", "OPTIONS"])("%s without a body arrives without one", async (method) => {
    const { url } = startServer();
    expect(await echo(`${url}/api/echo`, { method })).toMatchObject({ method, body: "" });
  });

  test("a chunked body arrives whole, and so does one of half a megabyte", async () => {
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
    const body = big.slice(0, 500_000);
    expect((await echo(`${url}/console/echo`, { method: "POST", body })).body).toBe(body);
  });

  test("a GET that carries a body does not make control wait for it", async () => {
    const { port } = startServer();
    const { status, text } = await askOnce(port, { target: "/api/echo", body: "abc" });
    expect(status).toBe(200);
    expect(text).not.toContain('content-length":"3');
  });

  test("nobody outside can set what control believes", async () => {
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

  test("the scheme that a trusted proxy saw is passed on, the innermost trusted entry of a list", async () => {
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

  test("hop-by-hop headers and those that Connection names stay behind", async () => {
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

describe("what comes back", () => {
  test("redirects, 304, cookies and compressed bodies are not touched", async () => {
    const { url } = startServer();
    const moved = await fetch(`${url}/api/moved`, { redirect: "manual" });
    expect([moved.status, moved.headers.get("location")]).toEqual([302, "/api/echo"]);
    const unchanged = await fetch(`${url}/api/unchanged`);
    expect([unchanged.status, unchanged.headers.get("etag")]).toEqual([304, '"7"']);
    const cookies = await fetch(`${url}/api/cookies`);
    expect(cookies.headers.getSetCookie()).toEqual(["a=1", "b=2; Expires=Wed, 01 Jan 2031 00:00:00 GMT"]);
    const zipped = await fetch(`${url}/api/zipped`, { decompress: false });
    expect(zipped.headers.get("content-encoding")).toBe("gzip");
    expect(Buffer.from(Bun.gunzipSync(await zipped.arrayBuffer())).toString()).toBe("zipped");
  });

  test("a large body arrives whole with its length, and HEAD has the length without the body", async () => {
    const { url } = startServer();
    const response = await fetch(`${url}/api/big`);
    expect(response.headers.get("x-request-id")).toBe("from_control");
    expect(await response.text()).toBe(big);
    const head = await fetch(`${url}/api/big`, { method: "HEAD" });
    expect([head.status, head.headers.get("content-length")]).toEqual([200, String(big.length)]);
  });

  test("hop-by-hop headers of control stay behind, and every answer has a request id", async () => {
    const { url } = startServer();
    const { headers } = await fetch(`${url}/api/hops`);
    expect([headers.get("x-private"), headers.get("keep-alive"), headers.get("te")]).toEqual([null, null, null]);
    expect(headers.get("x-request-id")).toBe("req_test0001");
  });

  test("an event stream arrives while it is written, and ends in control when the client leaves", async () => {
    const { url } = startServer();
    const leave = new AbortController();
    const response = await fetch(`${url}/api/events`, { signal: leave.signal });
    const reader = response.body?.getReader();
    expect(Buffer.from((await reader?.read())?.value ?? []).toString()).toBe("data: tick\n\n");
    leave.abort();
    await cancelled.promise;
  });
});

describe("when control cannot answer", () => {
  const expectUnavailable = async (response: Response): Promise<void> => {
    expect(response.status).toBe(503);
    expect(response.headers.get("retry-after")).toBe("1");
    expect(response.headers.get("cache-control")).toBe("no-store");
    expect(await response.json()).toEqual({
      error: { code: "unavailable", message: expect.any(String), request_id: "req_test0001" },
    });
  };

  test("the API answers 503 at once, with the envelope; a page is a page", async () => {
    const { url } = startServer({ socketPath: join(directory, "nobody.sock") });
    await expectUnavailable(await fetch(`${url}/api/v1/me`));
    await expectUnavailable(await fetch(`${url}/api`, { method: "POST", body: "{}" }));
    await expectUnavailable(await fetch(`${url}/api?x`));
    const docs = await fetch(`${url}/docs`);
    expect([docs.status, docs.headers.get("content-type")]).toEqual([503, "text/html; charset=utf-8"]);
  });

  test("requests beyond the bound are refused while others wait, and places come free again", async () => {
    const { url } = startServer({ inFlightMax: 1 });
    const waiting = fetch(`${url}/api/wait`);
    await arrived.promise;
    await expectUnavailable(await fetch(`${url}/api/echo`));
    release.resolve();
    expect(await (await waiting).text()).toBe("waited");
    for (const path of ["big", "echo", "cookies", "big", "moved"]) {
      const response = await fetch(`${url}/api/${path}`, { redirect: "manual" });
      expect(response.status).toBeLessThan(400);
      await response.text();
    }
  });

  test("a full house still has room for another address, and none for more of the same", async () => {
    const { url } = startServer({ inFlightMax: 3 });
    const ask = (path: string, client: string): Promise<Response> =>
      fetch(`${url}/api/${path}`, { headers: { "x-test-client": client } });
    const waiting = [ask("wait", "2001:db8::1"), ask("wait", "2001:db8::2")];
    await until("both wait", () => arrivals === 2);
    await expectUnavailable(await ask("echo", "2001:db8::3"));
    expect((await ask("echo", "2001:db8:0:1::1")).status).toBe(200);
    release.resolve();
    for (const response of await Promise.all(waiting)) expect(response.status).toBe(200);
  });

  test("a body that does not arrive takes no place, and one without a token is not waited for", async () => {
    const { url, port } = startServer({ inFlightMax: 1 });
    const head = (fields: string) => `POST /api/echo HTTP/1.1\r\nHost: a\r\n${fields}Content-Length: 5\r\n\r\n`;
    const slow = await RawConnection.open(port);
    slow.send(`${head("Authorization: Bearer t\r\n")}ab`);
    const nameless = await RawConnection.open(port);
    nameless.send(`${head("")}ab`);
    const answer = await nameless.answer();
    expect([answer.status, answer.headers.get("connection")]).toEqual([200, "close"]);
    expect(JSON.parse(answer.text)).toMatchObject({ body: "", headers: { "x-kurz-unread-body": "5" } });
    expect((await fetch(`${url}/api/echo`)).status).toBe(200);
    slow.send("cde");
    expect((await slow.answer()).text).toContain('"body":"abcde"');
    slow.close();
    nameless.close();
  });

  test("event streams take no place of ordinary requests and are bounded themselves", async () => {
    const { url } = startServer({ inFlightMax: 1, streamsMax: 2 });
    const first = await fetch(`${url}/api/events`);
    const second = await fetch(`${url}/api/events`);
    expect([first.status, second.status]).toEqual([200, 200]);
    expect((await fetch(`${url}/api/echo`)).status).toBe(200);
    await expectUnavailable(await fetch(`${url}/api/events`));
    release.resolve();
    await Promise.all([first.text(), second.text()]);
    expect((await fetch(`${url}/api/events`)).status).toBe(200);
  });

  test("a control that never answers is given up", async () => {
    const { url } = startServer({ headTimeoutMs: 50 });
    await expectUnavailable(await fetch(`${url}/api/wait`));
  });
});
