import { afterAll, beforeAll, expect, test } from "bun:test";
import { connect } from "node:net";
import { join } from "node:path";
import fc from "fast-check";
import { createEnricher } from "#clicks/classify/enricher.ts";
import { openGeo } from "#clicks/classify/geo.ts";
import { SaltReader } from "#clicks/visitor/salt-reader.ts";
import { keepSalts } from "#clicks/visitor/salts.ts";
import { loadConfig } from "#config/load-config.ts";
import type { ClickSink } from "#redirect/click-sink.ts";
import { type LinkFile, openLinkFile } from "#test/support/link-file.ts";
import { type OpenRedirect, openRedirect } from "./redirect.ts";

const NOW = Date.UTC(2026, 5, 17, 12);
const SILENCE_MS = 1000;
const ANSWER_MS = 500;
const PAUSE_MS = 20;
const TIMEOUT_MS = 120_000;
const CHROME =
  "Mozilla/5.0 (Windows NT 10.0; Win64; x64) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/138.0.0.0 Safari/537.36";
const LAST = "GET /healthz HTTP/1.1\r\nHost: last\r\nConnection: close\r\n\r\n";

let file: LinkFile;
let server: OpenRedirect;
let lines: string[] = [];

beforeAll(() => {
  file = openLinkFile();
  file.add({ slug: "abc", destination_url: "https://example.com/sale?a=1#top", utm: { utm_source: "mail" } });
  file.add({ slug: "soon", expires_at: Date.now() + 3_600_000 });
  file.add({ slug: "expired", expires_at: 1 });
  file.add({ slug: "paused", state: "paused" });
  file.add({ slug: "umlaut", destination_url: "https://example.com/ü" });
  const salts = join(file.dataDir, "salts.json");
  keepSalts(salts, NOW);
  const enrich = createEnricher({
    salts: new SaltReader(salts),
    geo: openGeo(null),
    countryHeader: "CF-IPCountry",
    ownHosts: ["s.example"],
  });
  const clicks: ClickSink = {
    record(request, clientAddress, link, location) {
      lines.push(enrich(request, clientAddress, link, location, NOW));
      return new Promise((resolve) => setImmediate(resolve));
    },
  };
  const config = loadConfig({ KURZ_DATA_DIR: file.dataDir });
  const behindProxy = { trustProxy: 1, trustProxyRequestId: true, geoCountryHeader: "CF-IPCountry" };
  server = openRedirect({ ...config, port: 0, rateLimitPerMinute: 0, ...behindProxy }, clicks);
});

afterAll(async () => {
  await server.stop();
  file.close();
});

/**
 * What comes back for the parts, sent with pauses between them, and then for one more request, if the connection is
 * still good for it. That one waits for an answer to come, since the HTTP server closes on requests that do not wait.
 */
function exchange(port: number, parts: readonly string[]): Promise<string> {
  const { promise, resolve } = Promise.withResolvers<string>();
  const answered = Promise.withResolvers<void>();
  let received = "";
  const socket = connect({ port, host: "127.0.0.1", noDelay: true });
  const finish = (): void => {
    socket.destroy();
    answered.resolve();
    resolve(received);
  };
  socket.setTimeout(SILENCE_MS, finish);
  socket.setEncoding("latin1");
  socket.on("data", (text: string) => {
    received += text;
    answered.resolve();
  });
  for (const event of ["end", "error", "close"]) socket.on(event, finish);
  const send = async (part: string): Promise<void> => {
    if (socket.writable) socket.write(part, "latin1");
    await Bun.sleep(PAUSE_MS);
  };
  void (async () => {
    for (const part of parts) await send(part);
    await Promise.race([answered.promise, Bun.sleep(ANSWER_MS)]);
    await send("");
    await send(LAST);
  })();
  return promise;
}

/** All that has a meaning: neither the order and case of header names nor what differs each time. */
const meaningOf = (received: string): string[][] =>
  received.split(/(?=HTTP\/1\.1 \d)/).map((answer) => {
    const [head = "", ...body] = answer.split("\r\n\r\n");
    const [status = "", ...fields] = head
      .replace(/^(date): .*\r?\n?/gim, "")
      .replace(/req_[0-9a-hjkmnp-tv-z]{26}/g, "req_new")
      .split("\r\n");
    const named = fields.filter(Boolean).map((field) => field.replace(/^[^:]+/, (name) => name.toLowerCase()));
    return [status, ...named.sort(), body.join("\r\n\r\n").replace(/req_[0-9a-hjkmnp-tv-z]{26}/g, "req_new")];
  });

interface Seen {
  readonly answers: readonly string[][][];
  readonly clicks: readonly string[];
}

async function observe(port: number, conversations: readonly (readonly string[])[]): Promise<Seen> {
  lines = [];
  const received = await Promise.all(conversations.map((parts) => exchange(port, parts)));
  return { answers: received.map(meaningOf), clicks: lines.toSorted() };
}

async function expectSame(conversations: readonly (readonly string[])[]): Promise<void> {
  const lane = await observe(server.port, conversations);
  const http = await observe(server.httpPort, conversations);
  for (const [index, conversation] of conversations.entries()) {
    expect([conversation, lane.answers[index]]).toEqual([conversation, http.answers[index]]);
  }
  expect(lane.clicks).toEqual(http.clicks);
}

const browser = `Host: s.example\r\nUser-Agent: ${CHROME}\r\nReferer: https://news.example.org/a\r\nAccept-Language: nl,en;q=0.5\r\nX-Forwarded-For: 193.0.6.139\r\n`;
const get = (target: string, fields = browser, version = "HTTP/1.1"): string =>
  `GET ${target} ${version}\r\n${fields}\r\n`;

const corpus: readonly string[] = [
  get("/abc"),
  get("/abc?b=2&qr=1"),
  get("/abc?utm_source=x&a=9"),
  get("/abc?'<>\"|^`{}[]\\"),
  get("/abc?\xfc"),
  get("/abc#f"),
  get("/abc?x#f"),
  get("/ABC"),
  get("/abc/"),
  get("/%61bc"),
  get("/abc+"),
  get("/nosuch"),
  get("/paused"),
  get("/expired"),
  get("/soon"),
  get("/umlaut"),
  get("/"),
  get("/healthz"),
  get("//abc"),
  get("/abc/../abc"),
  get("http://s.example/abc"),
  get("/abc", browser, "HTTP/1.0"),
  get("/abc", browser, "HTTP/1.2"),
  get("/abc", browser, "http/1.1"),
  get(`/abc?x=${"y".repeat(7000)}`),
  get(`/abc?x=${"y".repeat(9000)}`),
  get(`/${"a".repeat(64)}`),
  get(`/${"a".repeat(65)}`),
  get("/abc", `${browser}Cookie: ${"c".repeat(9000)}\r\n`),
  get("/abc", `${browser}${"X-Many: a\r\n".repeat(70)}`),
  get("/abc").replace("GET", "HEAD"),
  get("/abc").replace("GET", "get"),
  get("/abc").replace("GET", "POST"),
  get("/abc").replace("GET", "TRACE"),
  get("/abc").replace("GET ", "GET  "),
  get("/abc").replaceAll("\r\n", "\n"),
  get("/abc").replace("\r\n\r\n", "\r\n\n"),
  `\r\n${get("/abc")}`,
  ` ${get("/abc")}`,
  ...[
    "Content-Length: 0",
    "Content-Length: 3\r\n\r\nabc",
    "Content-Length: 3, 3",
    "Content-Length: +3",
    "Content-Length: 3\r\nContent-Length: 3",
    "Content-Length:",
    "Content-Length : 3",
    " Content-Length: 3",
    "X: y\r\n Content-Length: 3",
    "Transfer-Encoding: chunked\r\n\r\n3\r\nabc\r\n0",
    "Transfer-Encoding: chunked\r\nContent-Length: 4",
    "Transfer-Encoding: identity",
    "transfer-encoding:\tchunked",
    "Transfer-Encoding\t: chunked",
    "Expect: 100-continue",
    "Upgrade: websocket\r\nConnection: Upgrade",
    "Upgrade: h2c\r\nConnection: Upgrade, HTTP2-Settings",
    "Connection: keep-alive",
    "Connection: Keep-Alive",
    "Connection: close",
    "Connection: CLOSE",
    "Connection: close, x-forwarded-for",
    "Connection: x-forwarded-for",
    "Connection: close\r\nConnection: keep-alive",
    "Host: other",
    "X-Forwarded-For: 8.8.8.8",
    "User-Agent: second",
    "Sec-GPC: 1",
    "DNT: 1",
    "dnt:1",
    "DNT:  1",
    "DNT: 1 ",
    "DNT:\t1",
    "Sec-Purpose: prefetch;prerender",
    "X-Purpose: preview",
    "CF-IPCountry: DE",
    "cf-ipcountry: xx",
    "X-Request-Id: trusted-id-1",
    "X-Request-Id: bad id",
    "X-Empty:",
    "X-Latin: \xfc",
    "X-Nul: a\x00b",
    "X-Delete: a\x7fb",
    "X-Bell: a\x07b",
    "X-Return: a\rb",
    "X-Feed: a\nb",
    "X-Fold: a\r\n b",
    "X Space: a",
    ": nameless",
    "no colon",
    "X-\xfc: a",
    "Accept-Language: \xfc",
    "Referer: https://example.org/\xfc",
  ].map((field) => get("/abc", `${browser}${field}\r\n`)),
  get("/abc", ""),
  get("/abc", "Host:\r\n"),
  get("/abc", "Host: a b\r\n"),
  get("/abc", "Host: [::1]:80\r\n"),
  get("/abc", "Host: s.example/x\r\n"),
  get("/abc", "Host: s.example\r\nX-Forwarded-For: 1.2.3.4, 193.0.6.139\r\n"),
  get("/abc", "Host: s.example\r\nX-Forwarded-For: nonsense\r\n"),
  get("/abc", "Host: s.example\r\nX-Forwarded-For: [2001:db8::1]:4711\r\n"),
  "\x16\x03\x01\x02\x00\x01\x00",
  "GET /abc HTTP/1.1\r\nHost: s.exam",
  "",
];

const everyLinkIsKnown = (): Promise<Seen> =>
  observe(
    server.httpPort,
    ["/abc", "/soon", "/expired", "/paused", "/umlaut"].map((path) => [get(path)]),
  );

test(
  "answers and clicks are those of the HTTP server, whatever a client sends",
  async () => {
    const conversations = corpus.map((request) => [request]);
    await expectSame(conversations);
    await everyLinkIsKnown();
    await expectSame(conversations);
    await expectSame(corpus.map((request) => [request.slice(0, 30), request.slice(30, 50), request.slice(50)]));
  },
  TIMEOUT_MS,
);

const field = fc.oneof(
  fc.constantFrom(
    "Accept: */*",
    "Connection: keep-alive",
    "DNT: 1",
    "Sec-GPC: 1",
    "Purpose: prefetch",
    "Content-Length: 5",
    "Content-Length: 0",
    "Transfer-Encoding: chunked",
    "Expect: 100-continue",
    "Upgrade: h2c",
    "Connection: close",
    "X-Fold: a\r\n b",
    "Host: second",
  ),
  fc
    .tuple(
      fc.constantFrom(
        "User-Agent",
        "referer",
        "ACCEPT-LANGUAGE",
        "X-Forwarded-For",
        "cf-ipcountry",
        "X-Request-Id",
        "X-Any",
      ),
      fc.constantFrom(": ", ":", ":  ", ":\t", " : "),
      fc.oneof(
        fc.constantFrom("1", "de-DE,de;q=0.9", "https://a.example/b", "193.0.6.139", "NL", CHROME),
        fc.string({ maxLength: 20, unit: fc.integer({ min: 0, max: 255 }).map((code) => String.fromCharCode(code)) }),
        fc.string({ maxLength: 20 }),
      ),
    )
    .map((parts) => parts.join("")),
);
const request = fc
  .record({
    method: fc.oneof(
      { weight: 6, arbitrary: fc.constant("GET") },
      { weight: 1, arbitrary: fc.constantFrom("HEAD", "POST", "PUT", "get", "X") },
    ),
    path: fc.oneof(
      { weight: 4, arbitrary: fc.constantFrom("/abc", "/soon") },
      { weight: 1, arbitrary: fc.constantFrom("/paused", "/nosuch", "/ABC", "/abc+", "/", "abc") },
    ),
    query: fc.oneof(
      fc.constant(""),
      fc.string({ maxLength: 12 }).map((text) => `?${text}`),
      fc.webQueryParameters().map((text) => `?${text}`),
    ),
    host: fc.oneof(
      { weight: 8, arbitrary: fc.constantFrom("Host: s.example\r\n", "host: 127.0.0.1:80\r\n") },
      { weight: 1, arbitrary: fc.constantFrom("", "Host: a b\r\n") },
    ),
    fields: fc.array(field, { maxLength: 5 }),
    end: fc.oneof({ weight: 10, arbitrary: fc.constant("\r\n") }, { weight: 1, arbitrary: fc.constant("\n") }),
    body: fc.oneof(
      { weight: 5, arbitrary: fc.constant("") },
      { weight: 1, arbitrary: fc.constantFrom("abcde", "0\r\n\r\n", get("/abc?hidden=1")) },
    ),
  })
  .map(({ method, path, query, host, fields, end, body }) => {
    const text = fields.map((line) => `${line}\r\n`).join("");
    // Without a length it would be a request that does not wait.
    const hasBody = /content-length|transfer-encoding/i.test(text);
    return `${method} ${path}${query} HTTP/1.1\r\n${host}${text}${end}${hasBody ? body : ""}`;
  });
const conversation = fc.tuple(request, fc.double({ min: 0, max: 1, noNaN: true })).map(([text, cut]) => {
  const at = cut < 0.5 ? 0 : Math.floor(text.length * cut);
  return at === 0 ? [text] : [text.slice(0, at), text.slice(at)];
});

test(
  "and so they are for requests put together at random",
  async () => {
    await everyLinkIsKnown();
    await fc.assert(
      fc.asyncProperty(fc.array(conversation, { minLength: 20, maxLength: 40 }), (conversations) =>
        expectSame(conversations),
      ),
      { numRuns: 12, endOnFailure: true },
    );
  },
  TIMEOUT_MS,
);
