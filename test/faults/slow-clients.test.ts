import { afterAll, describe, expect, test } from "bun:test";
import { startKurzWithApi } from "#test/support/link-api.ts";
import { askOnce, Broken, RawConnection } from "#test/support/raw-connection.ts";
import { chunked } from "#test/support/raw-message.ts";
import { until } from "#test/support/until.ts";

const TIMEOUT_MS = 600_000;
// Three times what the server allows, for a busy machine; without a limit they would never end.
const HEAD_MS_MAX = 30_000;
const BODY_MS_MAX = 45_000;
const SILENT_MS_MAX = 225_000;
const CLOSING_MS_MAX = 30_000;
const DRIP_MS = 1000;
const ROUNDS_MIN = 10;
const ROUNDS_MAX = 50;
const BATCHES_MAX = 5;
const MEBIBYTE = 1024 * 1024;

const { kurz, api } = await startKurzWithApi({
  env: { KURZ_REDIRECT_PROCESSES: "2", KURZ_RATE_LIMIT_PER_MINUTE: "0" },
});
const { slug } = await api.create();

const firstLines = `POST /api/v1/links HTTP/1.1\r\nHost: localhost\r\nAuthorization: ${api.authorization}\r\n`;
const jsonLine = "Content-Type: application/json\r\n";
const uploadHead = (length: number): string => `${firstLines}${jsonLine}Content-Length: ${length}\r\n\r\n`;
const uploadInChunks = `${firstLines}${jsonLine}Transfer-Encoding: chunked\r\n\r\n`;

interface SlowClient {
  readonly connection: RawConnection;
  /** How long the server kept its connection, and the status that it answered with, if any. */
  readonly end: Promise<{ readonly ms: number; readonly status: number | undefined }>;
}

const slowClients: SlowClient[] = [];
const drips: ReturnType<typeof setInterval>[] = [];

/** Sends the beginning, and then one byte per second or nothing at all. */
async function openSlowClients(count: number, beginning: string, drip?: string): Promise<SlowClient[]> {
  const clients = await Promise.all(
    Array.from({ length: count }, async (): Promise<SlowClient> => {
      const connection = await RawConnection.open(kurz.port);
      const openedAt = performance.now();
      connection.send(beginning);
      if (drip !== undefined) drips.push(setInterval(() => connection.isClosed || connection.send(drip), DRIP_MS));
      const answered = connection.answer("GET", TIMEOUT_MS).then(
        ({ status }) => status,
        () => undefined,
      );
      return { connection, end: answered.then((status) => ({ ms: performance.now() - openedAt, status })) };
    }),
  );
  slowClients.push(...clients);
  return clients;
}

// All of them connect before the first test, and each test looks at its own kind. There are so many bodies that no place
// towards control would be left if each took one.
const openAllKinds = () =>
  Promise.all([
    Promise.all([
      openSlowClients(40, `GET /${slug} HT`),
      openSlowClients(100, `GET /${slug} HTTP/1.1\r\nHost: localhost\r\nX-Slow: `, "a"),
    ]).then((groups) => groups.flat()),
    Promise.all([
      openSlowClients(10, uploadHead(1000)),
      openSlowClients(600, uploadHead(60_000), "a"),
      openSlowClients(10, uploadInChunks),
    ]).then((groups) => groups.flat()),
    openSlowClients(60, ""),
  ]);
const [heads, bodies, silent] = await openAllKinds();
afterAll(async () => {
  for (const drip of drips) clearInterval(drip);
  for (const { connection } of slowClients) connection.close();
  await kurz.stop();
});

async function timed(ask: () => Promise<{ readonly status: number }>): Promise<{ status: number; ms: number }> {
  const startedAt = performance.now();
  const { status } = await ask();
  return { status, ms: performance.now() - startedAt };
}

test(
  "links and the API answer while 820 idle and dripping clients are connected",
  async () => {
    const redirects: { status: number; ms: number }[] = [];
    const calls: { status: number; ms: number }[] = [];
    let connected = slowClients;
    for (let batches = 1; ; batches += 1) {
      let isAnyClosed = false;
      for (const { end } of connected) void end.then(() => (isAnyClosed = true));
      while (!isAnyClosed && redirects.length < ROUNDS_MAX) {
        redirects.push(await timed(() => askOnce(kurz.port, { target: `/${slug}` })));
        calls.push(await timed(() => api.ask("GET", "/me")));
      }
      // A busy machine may need more than one batch of slow clients.
      if (redirects.length > ROUNDS_MIN || batches === BATCHES_MAX) break;
      connected = (await openAllKinds()).flat();
    }
    expect(new Set(redirects.map(({ status }) => status))).toEqual(new Set([302]));
    expect(new Set(calls.map(({ status }) => status))).toEqual(new Set([200]));
    const times = [...redirects, ...calls].map(({ ms }) => ms).sort((a, b) => a - b);
    const [median = 0, slowest = 0] = [times[times.length / 2], times.at(-1)];
    process.stderr.write(
      `${times.length} answers took ${Math.round(median)} ms, the slowest ${Math.round(slowest)} ms\n`,
    );
    // If slow clients held up others, none would be answered before the first slow client of a batch is closed.
    expect(redirects.length).toBeGreaterThan(ROUNDS_MIN);
    expect(median).toBeLessThan(3000);
  },
  TIMEOUT_MS,
);

const get = (lines: string): string => `GET /${slug} HTTP/1.1\r\n${lines}\r\n`;

/** Malformed by RFC 9112, or longer than a server should read. */
const malformed: readonly [what: string, bytes: string][] = [
  [
    "Content-Length beside Transfer-Encoding",
    `${firstLines}Content-Length: 4\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\n`,
  ],
  ["two lengths", `${firstLines}Content-Length: 4\r\nContent-Length: 5\r\n\r\nabcde`],
  ["a negative length", `${firstLines}Content-Length: -4\r\n\r\nabcd`],
  ["a chunk size that is no number", `${firstLines}Transfer-Encoding: chunked\r\n\r\nzz\r\nabc\r\n0\r\n\r\n`],
  ["a folded header", get("Host: localhost\r\nX-Folded: a\r\n b\r\n")],
  ["a space in a header name", get("Host: localhost\r\nX Name: a\r\n")],
  ["a missing Host", get("")],
  ["200 kB of headers", get(`Host: localhost\r\nX-Long: ${"a".repeat(200_000)}\r\n`)],
  ["20 000 headers", get(`Host: localhost\r\n${"X-Many: a\r\n".repeat(20_000)}`)],
  ["a target of 100 kB", `GET /${"a".repeat(100_000)} HTTP/1.1\r\nHost: localhost\r\n\r\n`],
  ["no HTTP at all", "\x00\xff\xfe garbage \r\n\r\n"],
  ["a TLS handshake", `\x16\x03\x01\x02\x00\x01\x00\x01\xfc\x03\x03${"\x42".repeat(300)}`],
];

describe("a malformed request is answered with 4xx or closed, never with 5xx:", () => {
  test.each(malformed)("%s", async (_what, bytes) => {
    const connection = await RawConnection.open(kurz.port);
    connection.send(bytes);
    const status = await connection.answer().then(
      (answer) => answer.status,
      (error: Error) => (error instanceof Broken ? 400 : Promise.reject(error)),
    );
    expect([400, 414, 431]).toContain(status);
    connection.close();
    expect((await askOnce(kurz.port, { target: `/${slug}` })).status).toBe(302);
  });
});

describe("a body over 1 MiB is refused in the envelope, with", () => {
  test.each([
    ["its length declared", uploadHead(2 * MEBIBYTE) + "a".repeat(2 * MEBIBYTE)],
    ["its length not declared", uploadInChunks + chunked("a".repeat(2 * MEBIBYTE), MEBIBYTE).toString()],
    ["more bytes declared than sent", uploadHead(900 * MEBIBYTE) + "a".repeat(2 * MEBIBYTE)],
    [
      "no end in sight",
      uploadInChunks +
        chunked("a".repeat(20 * MEBIBYTE), MEBIBYTE)
          .toString()
          .slice(0, -5),
    ],
  ])("%s", async (_what, bytes) => {
    const connection = await RawConnection.open(kurz.port);
    connection.send(bytes);
    const { status, headers, text } = await connection.answer();
    expect([status, headers.get("connection")]).toEqual([413, "close"]);
    expect(JSON.parse(text)).toMatchObject({
      error: { code: "payload_too_large", request_id: headers.get("x-request-id"), details: { limit_bytes: 65_536 } },
    });
    await connection.closed;
    expect((await api.ask("GET", "/me")).status).toBe(200);
  });

  test("no byte of it sent", async () => {
    const connection = await RawConnection.open(kurz.port);
    connection.send(uploadHead(2_000_000));
    const { status, headers } = await connection.answer();
    expect([status, headers.get("connection")]).toEqual([413, "close"]);
    await connection.closed;
  });

  test("no token, which is reported first", async () => {
    const connection = await RawConnection.open(kurz.port);
    const withoutToken = uploadHead(2 * MEBIBYTE).replace(/Authorization: .*\r\n/, "");
    connection.send(withoutToken + "a".repeat(2 * MEBIBYTE));
    const { status, text } = await connection.answer();
    expect([status, JSON.parse(text).error.code]).toEqual([401, "missing_token"]);
    connection.close();
  });

  test("a short link as its target", async () => {
    const head = `POST /${slug} HTTP/1.1\r\nHost: localhost\r\nContent-Length: ${2 * MEBIBYTE}\r\n\r\n`;
    const connection = await RawConnection.open(kurz.port);
    connection.send(head + "a".repeat(2 * MEBIBYTE));
    const { status, headers } = await connection.answer();
    expect([status, headers.get("allow")]).toEqual([405, "GET, HEAD"]);
    connection.close();
  });
});

test("a body without a token isn't waited for", async () => {
  const connection = await RawConnection.open(kurz.port);
  connection.send(uploadHead(1000).replace(/Authorization: .*\r\n/, ""));
  const { status, headers } = await connection.answer();
  expect([status, headers.get("connection")]).toEqual([401, "close"]);
  await connection.closed;
});

async function endsOf(what: string, clients: readonly SlowClient[]) {
  const ends = await Promise.all(clients.map(({ end }) => end));
  const times = ends.map(({ ms }) => Math.round(ms));
  process.stderr.write(`${what} were kept for ${Math.min(...times)} to ${Math.max(...times)} ms\n`);
  return { longestMs: Math.max(...times), statuses: new Set(ends.map(({ status }) => status)) };
}

test(
  "a client that never finishes its head is closed after about ten seconds",
  async () => {
    const { longestMs, statuses } = await endsOf("heads", heads);
    expect(longestMs).toBeLessThan(HEAD_MS_MAX);
    expect(statuses).toEqual(new Set([undefined]));
  },
  TIMEOUT_MS,
);

test(
  "a body that doesn't arrive is refused after about fifteen seconds, and its connection closed",
  async () => {
    const { longestMs, statuses } = await endsOf("bodies", bodies);
    expect(longestMs).toBeLessThan(BODY_MS_MAX);
    expect(statuses).toEqual(new Set([400]));
    const startedAt = performance.now();
    await Promise.all(bodies.map(({ connection }) => connection.closed));
    expect(performance.now() - startedAt).toBeLessThan(CLOSING_MS_MAX);
  },
  TIMEOUT_MS,
);

test(
  "client mistakes aren't logged as failures of the service",
  async () => {
    const creates = (): { status: number }[] =>
      kurz.output.stdout
        .split("\n")
        // The text after the last line break may be half a line.
        .slice(0, -1)
        .filter((line) => line.includes('"route":"links.create"'))
        .map((line) => JSON.parse(line));
    const before = creates().length;
    for (let count = 0; count < 5; count += 1) {
      const connection = await RawConnection.open(kurz.port);
      connection.send(`${uploadHead(1000)}{"destination_url":`);
      for (let call = 0; call < 5; call += 1) expect((await api.ask("GET", "/me")).status).toBe(200);
      connection.close();
    }
    await api.create();
    await until("the complete one is logged", () => creates().length > before);
    expect(creates().length).toBe(before + 1);
    expect(creates().filter(({ status }) => status >= 500).length).toBe(0);
    expect(kurz.output.stderr).not.toContain('"level":"error"');
  },
  TIMEOUT_MS,
);

// Last, since it takes longest: they may be a proxy's spare connections, and are kept like idle ones.
test(
  "a client that sends nothing is closed after about 75 seconds",
  async () => {
    const { longestMs, statuses } = await endsOf("silent clients", silent);
    expect(longestMs).toBeLessThan(SILENT_MS_MAX);
    expect(statuses).toEqual(new Set([undefined]));
  },
  TIMEOUT_MS,
);
