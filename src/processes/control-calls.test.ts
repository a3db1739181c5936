import { afterAll, beforeAll, expect, test } from "bun:test";
import { mkdirSync } from "node:fs";
import { dirname } from "node:path";
import fc from "fast-check";
import { dataPaths } from "#config/data-paths.ts";
import { loadConfig } from "#config/load-config.ts";
import { type LinkFile, openLinkFile } from "#test/support/link-file.ts";
import { RawConnection } from "#test/support/raw-connection.ts";
import type { RawAnswer } from "#test/support/raw-message.ts";
import { type OpenRedirect, openRedirect } from "./redirect.ts";

const TIMEOUT_MS = 600_000;
// Where a client leaves these out, `fetch` on the other way adds its own.
const BASE = "Host: s.example\r\nUser-Agent: test\r\nAccept: */*\r\nAccept-Encoding: identity\r\n";
const TOKEN = "Authorization: Bearer t\r\n";

let file: LinkFile;
let control: Bun.Server<undefined>;
/** With the lane, and without. */
let server: OpenRedirect;
let other: OpenRedirect;
let asked = 0;

beforeAll(() => {
  file = openLinkFile();
  const { controlSocket } = dataPaths(file.dataDir);
  mkdirSync(dirname(controlSocket), { recursive: true });
  control = Bun.serve({
    unix: controlSocket,
    routes: {
      "/api/cookies": () => {
        const headers = new Headers({ "x-request-id": "from_control" });
        headers.append("set-cookie", "a=1");
        headers.append("set-cookie", "b=2; Expires=Wed, 01 Jan 2031 00:00:00 GMT");
        return new Response(null, { status: 204, headers });
      },
      "/api/unchanged": () => new Response(null, { status: 304, headers: { etag: '"7"', "x-latin": "\xfc" } }),
      "/api/zipped": () => new Response(Bun.gzipSync("zipped"), { headers: { "content-encoding": "gzip" } }),
      "/api/hops": () => new Response("x", { headers: { "keep-alive": "timeout=9", te: "x", upgrade: "h2c" } }),
      "/api/stream": () => new Response(new Blob(["0123456789".repeat(50_000)]).stream()),
      "/api/large": () => new Response("0123456789".repeat(20_000)),
      "/api/last": () => new Response("last", { headers: { connection: "close" } }),
    },
    async fetch(request) {
      asked += 1;
      const headers = [...request.headers].filter(([name]) => name !== "connection" && name !== "x-kurz-request-id");
      const { method, url } = request;
      return Response.json({ method, url, headers: headers.sort(), body: await request.text() });
    },
  });
  const config = {
    ...loadConfig({ KURZ_DATA_DIR: file.dataDir }),
    port: 0,
    rateLimitPerMinute: 0,
    trustProxy: 1,
    trustProxyRequestId: true,
  };
  server = openRedirect(config);
  other = openRedirect({ ...config, fastLane: false });
});

afterAll(async () => {
  await Promise.all([server.stop(), other.stop()]);
  await control.stop(true);
  file.close();
}, TIMEOUT_MS);

const request = (method: string, target: string, fields = "", body = ""): string =>
  `${method} ${target} HTTP/1.1\r\n${BASE}${fields}${body === "" ? "" : `Content-Length: ${body.length}\r\n`}\r\n${body}`;

/** All that has a meaning: neither the order and case of header names nor what is between two servers only. */
const meaningOf = ({ status, headers, text }: RawAnswer) => {
  const kept = [...headers].filter(([name]) => !/^(?:date|transfer-encoding|connection|keep-alive)$/.test(name));
  const withoutId = (value: string): string => value.replace(/req_\w{26}/, "req_new");
  return { status, headers: kept.map(([name, value]) => [name, withoutId(value)]).sort(), text: withoutId(text) };
};

async function answersOf(port: number, requests: readonly string[]) {
  const connection = await RawConnection.open(port);
  const answers = [];
  for (const each of requests) {
    connection.send(each);
    const answer = await connection.answer(each.startsWith("HEAD") ? "HEAD" : "GET");
    answers.push(meaningOf(answer));
    if (answer.headers.get("connection") === "close") break;
  }
  connection.close();
  return answers;
}

async function expectSame(requests: readonly string[]): Promise<void> {
  for (const each of requests) {
    const before = asked;
    const [direct] = await answersOf(server.port, [each]);
    const askedDirectly = asked - before;
    const [otherwise] = await answersOf(other.port, [each]);
    expect([each, direct]).toEqual([each, otherwise]);
    expect(askedDirectly).toBe(asked - before - askedDirectly);
  }
}

test(
  "what control gets and what comes back is the same on both ways",
  async () => {
    const paths = ["cookies", "unchanged", "zipped", "hops", "large", "last", "echo?q=a%20b&x=%C3%A9", "echo/a~b(c)"];
    await expectSame([
      ...paths.map((path) => request("GET", `/api/${path}`)),
      ...paths.map((path) => request("GET", `/api/${path}`, "Connection: close\r\n")),
      ...["echo", "large", "unchanged"].map((path) => request("HEAD", `/api/${path}`)),
      ...["DELETE", "PATCH", "PUT", "OPTIONS", "POST"].map((method) => request(method, "/api/echo", TOKEN)),
      ...["DELETE", "PATCH", "PUT", "OPTIONS", "POST"].map((method) => request(method, "/api/echo", TOKEN, "{}")),
      request("POST", "/console/api/sign-in", "Cookie: a=b\r\nCookie: c=d\r\n", "\xff\x00{}"),
      request("POST", "/api/echo", TOKEN, "x".repeat(65_536)),
      request("POST", "/api/echo", TOKEN, "x".repeat(65_537)),
      request("GET", "/api/echo", TOKEN, "GET /api/echo HTTP/1.1\r\n\r\n"),
      request(
        "GET",
        "/docs",
        "X-Forwarded-For: 192.0.2.7\r\nX-Forwarded-Proto: HTTPS\r\nX-Request-Id: trusted-id-1\r\n",
      ),
      request("GET", "/api/echo", "X-Forwarded-For: 1.2.3.4, 192.0.2.7\r\nX-Forwarded-Proto: https, http\r\n"),
      request("GET", "/api/echo", "X-Kurz-Client: 6.6.6.6\r\nX-KURZ-Unread-Body: 5\r\nForwarded: for=6.6.6.6\r\n"),
      request("GET", "/api/echo", "X-Real-Ip: 6.6.6.6\r\nProxy-Authorization: x\r\nKeep-Alive: 5\r\nTE: trailers\r\n"),
      request("GET", "/api/echo", "X-Empty:\r\nX-Space:  a \r\nX-Tab: a\tb\r\nX-Latin: \xfc\r\n"),
      request("GET", "/api/echo", "Cookie: a=1\r\nCookie: b=2\r\nAccept-Language: de\r\nAccept-Language: en\r\n"),
      request("GET", "/api/echo?'<>|^`{}"),
      request("GET", "/apix"),
      request("GET", "/api"),
      request("GET", "/console"),
    ]);
    expect(asked).toBeGreaterThan(40);
  },
  TIMEOUT_MS,
);

test("a body in chunks comes whole, and the connection serves the next request", async () => {
  const answers = await answersOf(
    server.port,
    ["stream", "echo", "stream", "large", "cookies", "echo"].map((path) => request("GET", `/api/${path}`)),
  );
  expect(answers.map(({ text }) => text.length)).toEqual([
    500_000,
    expect.any(Number),
    500_000,
    200_000,
    0,
    expect.any(Number),
  ]);
});

const field = fc.oneof(
  fc.constantFrom(
    "Content-Length: 5",
    "Content-Length: 0",
    "Content-Length: +5",
    "Transfer-Encoding: chunked",
    "Connection: close",
    "Connection: x-any",
    "X-Kurz-Client: 6.6.6.6",
    "X-Kurz-Request-Id: forged",
    "Host: second",
    "Authorization: Bearer t",
    "X-Fold: a\r\n b",
  ),
  fc
    .tuple(
      fc.constantFrom("X-Any", "Cookie", "If-Match", "X-Forwarded-For", "x-forwarded-proto", "Content-Type"),
      fc.constantFrom(": ", ":", ":  ", ":\t", " : "),
      fc.string({ maxLength: 12, unit: fc.integer({ min: 0, max: 255 }).map((code) => String.fromCharCode(code)) }),
    )
    .map((parts) => parts.join("")),
);
const anyRequest = fc
  .record({
    method: fc.constantFrom("GET", "POST", "HEAD", "DELETE", "PUT"),
    path: fc.constantFrom("/api/echo", "/api", "/docs/a", "/console/../api/echo", "/api/%2e%2e/echo", "/api//echo"),
    query: fc.oneof(
      fc.constant(""),
      fc.string({ maxLength: 8 }).map((text) => `?${text}`),
    ),
    fields: fc.array(field, { maxLength: 4 }),
    body: fc.constantFrom("abcde", "0\r\n\r\n"),
  })
  .map(({ method, path, query, fields, body }) => {
    const text = fields.map((line) => `${line}\r\n`).join("");
    const isChunked = text.includes("Transfer-Encoding");
    const sent = isChunked ? "0\r\n\r\n" : text.includes("Content-Length: 5") ? body : "";
    return `${method} ${path}${query} HTTP/1.1\r\n${BASE}${text}\r\n${sent}`;
  });

async function outcomeOf(port: number, text: string) {
  const connection = await RawConnection.open(port);
  connection.send(text);
  const outcome = await connection.answer(text.startsWith("HEAD") ? "HEAD" : "GET", 3000).then(meaningOf, () => "none");
  connection.close();
  return outcome;
}

test(
  "nor does it differ for requests put together at random, of which none becomes two",
  async () => {
    await fc.assert(
      fc.asyncProperty(fc.array(anyRequest, { minLength: 10, maxLength: 20 }), async (requests) => {
        const before = asked;
        const direct = await Promise.all(requests.map((text) => outcomeOf(server.port, text)));
        const askedDirectly = asked - before;
        const otherwise = await Promise.all(requests.map((text) => outcomeOf(other.port, text)));
        for (const [index, text] of requests.entries()) expect([text, direct[index]]).toEqual([text, otherwise[index]]);
        expect(askedDirectly).toBe(asked - before - askedDirectly);
      }),
      { numRuns: 20, endOnFailure: true },
    );
  },
  TIMEOUT_MS,
);
