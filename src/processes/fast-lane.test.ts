import { afterAll, beforeAll, expect, test } from "bun:test";
import { connect } from "node:net";
import { join } from "node:path";
import fc from "fast-check";
import { createEnricher } from "#clicks/classify/enricher.ts";
import { openBundledGeo } from "#clicks/classify/geo.ts";
import { SaltReader } from "#clicks/visitor/salt-reader.ts";
import { keepSalts } from "#clicks/visitor/salts.ts";
import { loadConfig } from "#config/load-config.ts";
import type { ClickSink } from "#redirect/click-sink.ts";
import { type LinkFile, openLinkFile } from "#test/support/link-file.ts";
import { CHROME, corpus, get } from "./fast-lane.corpus.ts";
import { type OpenRedirect, openRedirect } from "./redirect.ts";

const NOW = Date.UTC(2026, 5, 17, 12);
const PAUSE_MS = 20;
// Counted in pauses: server and clients share this process, so that whoever holds it up holds up both.
const SILENT_PAUSES_MAX = 50;
const ANSWER_PAUSES_MAX = 25;
const TIMEOUT_MS = 120_000;
const LAST = "GET /healthz HTTP/1.1\r\nHost: last\r\nConnection: close\r\n\r\n";

let file: LinkFile;
let lane: OpenRedirect;
/** The HTTP server alone. */
let plain: OpenRedirect;
let lines: string[] = [];

beforeAll(async () => {
  file = openLinkFile();
  file.add({ slug: "abc", destination_url: "https://example.com/sale?a=1#top", utm: { utm_source: "mail" } });
  file.add({ slug: "soon", expires_at: Date.now() + 3_600_000 });
  file.add({ slug: "expired", expires_at: 1 });
  file.add({ slug: "paused", state: "paused" });
  file.add({ slug: "umlaut", destination_url: "https://example.com/ü" });
  const saltFile = join(file.dataDir, "salts.json");
  keepSalts(saltFile, NOW);
  const salts = new SaltReader(saltFile);
  await salts.check(NOW);
  const enrich = createEnricher({
    salts,
    geo: openBundledGeo(),
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
  const open = (fastLane: boolean): OpenRedirect =>
    openRedirect({ ...config, port: 0, rateLimitPerMinute: 0, fastLane, ...behindProxy }, clicks);
  lane = open(true);
  plain = open(false);
});

afterAll(async () => {
  await Promise.all([lane.stop(), plain.stop()]);
  file.close();
});

/**
 * What comes back for the parts, sent with pauses between them, and then for one more request, if the connection is
 * still good for it. That one waits for an answer to come, since the HTTP server closes on requests that do not wait.
 */
function exchange(port: number, parts: readonly string[]): Promise<string> {
  const { promise, resolve } = Promise.withResolvers<string>();
  let received = "";
  let silentPauses = 0;
  let isOver = false;
  const socket = connect({ port, host: "127.0.0.1", noDelay: true });
  const finish = (): void => {
    isOver = true;
    socket.destroy();
    resolve(received);
  };
  socket.setEncoding("latin1");
  socket.on("data", (text: string) => {
    received += text;
    silentPauses = 0;
  });
  for (const event of ["end", "error", "close"]) socket.on(event, finish);
  const pause = async (): Promise<void> => {
    await Bun.sleep(PAUSE_MS);
    silentPauses += 1;
  };
  const send = async (part: string): Promise<void> => {
    if (socket.writable) socket.write(part, "latin1");
    silentPauses = 0;
    await pause();
  };
  void (async () => {
    for (const part of parts) await send(part);
    for (let pauses = 0; !isAnswer(received) && !isOver && pauses < ANSWER_PAUSES_MAX; pauses += 1) await pause();
    await pause();
    await send(LAST);
    while (!isOver && silentPauses < SILENT_PAUSES_MAX) await pause();
    finish();
  })();
  return promise;
}

/** "100 Continue" is none yet. */
const isAnswer = (received: string): boolean => /HTTP\/1\.1 [2-5]/.test(received);

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
  readonly counts: Readonly<Record<string, number>>;
}

async function observe(server: OpenRedirect, conversations: readonly (readonly string[])[]): Promise<Seen> {
  lines = [];
  const before = countVisits(server);
  const received = await Promise.all(conversations.map((parts) => exchange(server.port, parts)));
  const counts = Object.entries(countVisits(server)).map(([name, count]) => [name, count - (before[name] ?? 0)]);
  return { answers: received.map(meaningOf), clicks: lines.toSorted(), counts: Object.fromEntries(counts) };
}

const countVisits = (server: OpenRedirect): Record<string, number> => {
  const { ends, cacheHits, cacheMisses } = server.counts().visits;
  return { ...ends, lookups: cacheHits + cacheMisses };
};

/** The HTTP server closes on methods that it does not know; the lane gives it one that it knows and refuses. */
const withKnownMethod = (parts: readonly string[]): readonly string[] => {
  const text = parts.join("");
  const known = text.replace(/^(?!(?:GET|HEAD|POST|PUT|PATCH|DELETE|OPTIONS) )[\w-]+(?= \/)/, "PROPFIND");
  return known === text ? parts : [known];
};

const isLast = (answer: readonly string[] | undefined): boolean => answer?.includes("connection: close") ?? false;
const closesBefore = (answers: readonly string[][], others: readonly string[][]): boolean =>
  answers.some((answer, index) => isLast(answer) && !isLast(others[index]));
const withoutLifetime = (answer: readonly string[]): readonly string[] =>
  answer.filter((field) => !/^(?:connection|keep-alive): /.test(field));

async function expectSame(conversations: readonly (readonly string[])[]): Promise<void> {
  const seen = await observe(lane, conversations);
  const expected = await observe(plain, conversations.map(withKnownMethod));
  let isCutShort = false;
  for (const [index, conversation] of conversations.entries()) {
    const answers = seen.answers[index] ?? [];
    const others = expected.answers[index] ?? [];
    if (closesBefore(answers, others)) {
      // After an odd request the lane closes, where the HTTP server alone may go on.
      const same = others.slice(0, answers.length);
      expect([conversation, answers.map(withoutLifetime)]).toEqual([conversation, same.map(withoutLifetime)]);
      isCutShort ||= others.slice(answers.length).some(([status = ""]) => / (?:302|404|410) /.test(status));
    } else expect([conversation, answers]).toEqual([conversation, others]);
  }
  if (isCutShort) return;
  expect(seen.clicks).toEqual(expected.clicks);
  expect(seen.counts).toEqual(expected.counts);
}

async function everyLinkIsKnown(): Promise<void> {
  const visits = ["/abc", "/soon", "/expired", "/paused", "/umlaut"].map((path) => [get(path)]);
  for (const server of [lane, plain]) await observe(server, visits);
}

test(
  "answers, clicks and counts are those of the HTTP server, whatever a client sends",
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
    // What is more than the body would be a request that does not wait, which the HTTP server closes on.
    const isChunked = /transfer-encoding/i.test(text);
    const length =
      /^(?:GET|HEAD)$/.test(method) && !isChunked ? Number(/content-length: (\d)/i.exec(text)?.[1] ?? 0) : 1000;
    const hasBody = isChunked || /content-length/i.test(text);
    return `${method} ${path}${query} HTTP/1.1\r\n${host}${text}${end}${hasBody ? body.slice(0, length) : ""}`;
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
