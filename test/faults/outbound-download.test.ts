import { afterEach, expect, setDefaultTimeout, test } from "bun:test";
import type { Socket } from "node:net";
import { guardedClient } from "#engines/outbound/guarded-client.ts";
import { type DownloadQuestion, OutboundError } from "#engines/outbound/outbound-client.ts";
import { type RawReceiver, startRawReceiver } from "#test/support/raw-receiver.ts";
import { until } from "#test/support/until.ts";

setDefaultTimeout(600_000);

const client = guardedClient({ allowCidrs: ["127.0.0.0/8"], allowInsecure: true });
const PATIENT_MS = 120_000;
const SHORT_MS = 300;
const MEGABYTE = Buffer.alloc(1024 * 1024, "x");

const started: RawReceiver[] = [];
afterEach(async () => {
  for (const receiver of started.splice(0)) await receiver.stop();
});

async function start(onRequest: (socket: Socket) => void): Promise<RawReceiver> {
  const receiver = await startRawReceiver({ onRequest });
  started.push(receiver);
  return receiver;
}

const download = ({ port }: RawReceiver, over: Partial<DownloadQuestion> = {}) =>
  client.download({
    url: `http://127.0.0.1:${port}/file`,
    headers: {},
    ...{ timeoutMs: PATIENT_MS, idleMsMax: PATIENT_MS, readBytesMax: 1024 ** 3 },
    ...over,
  });

/** How many bytes there were, and the problem if they broke off. */
async function readAll(body: AsyncIterable<Uint8Array>): Promise<[bytes: number, problem: string | null]> {
  let bytes = 0;
  try {
    for await (const piece of body) bytes += piece.byteLength;
    return [bytes, null];
  } catch (error) {
    return [bytes, error instanceof OutboundError ? error.problem : String(error)];
  }
}

const head = (length: number): string => `HTTP/1.1 200 OK\r\nContent-Length: ${length}\r\n\r\n`;

test("a body of any size arrives whole, and no faster than it is read", async () => {
  const megabytes = 200;
  let written = 0;
  const receiver = await start((socket) => {
    socket.write(head(megabytes * MEGABYTE.byteLength));
    const more = (): void => {
      while (written < megabytes) {
        written += 1;
        if (!socket.write(MEGABYTE)) return;
      }
      socket.end();
    };
    socket.on("drain", more);
    more();
  });
  const { status, body } = await download(receiver);
  expect(status).toBe(200);
  await body.next();
  const seen = written;
  await Bun.sleep(SHORT_MS);
  // What sockets buffer by themselves is far less than all of it.
  expect(written).toBeLessThan(megabytes / 2);
  expect(written - seen).toBeLessThan(megabytes / 2);
  const [bytes, problem] = await readAll(body);
  expect(problem).toBeNull();
  expect(bytes).toBeGreaterThan((megabytes - 1) * MEGABYTE.byteLength);
});

test("a body that breaks off, stalls or is too long is an error, not an end", async () => {
  const cut = await start((socket) => {
    socket.end(`${head(1000)}${"x".repeat(500)}`);
  });
  expect((await readAll((await download(cut)).body))[1]).toBe("reset");
  const chunked = await start((socket) => {
    socket.end("HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n5\r\nhello\r\n");
  });
  expect((await readAll((await download(chunked)).body))[1]).toBe("reset");
  const stalls = await start((socket) => void socket.write(`${head(1000)}half`));
  expect((await readAll((await download(stalls, { idleMsMax: SHORT_MS })).body))[1]).toBe("timeout");
  await until("the connection is gone", () => stalls.openConnections() === 0);
  const long = await start((socket) => {
    socket.end(`${head(5000)}${"x".repeat(5000)}`);
  });
  const [bytes, problem] = await readAll((await download(long, { readBytesMax: 1000 })).body);
  expect([bytes <= 1000, problem]).toEqual([true, "protocol"]);
});

test("a slow reader isn't a stalled sender", async () => {
  const receiver = await start((socket) => {
    socket.end(`${head(5)}hello`);
  });
  const { body } = await download(receiver, { idleMsMax: SHORT_MS });
  await body.next();
  await Bun.sleep(2 * SHORT_MS);
  expect(await readAll(body)).toEqual([0, null]);
});

test("an abort ends it with its reason, and so does a reader that has enough", async () => {
  const receiver = await start((socket) => void socket.write(`${head(1000)}half`));
  const controller = new AbortController();
  const { body } = await download(receiver, { signal: controller.signal });
  await body.next();
  const rest = readAll(body);
  controller.abort(new Error("enough"));
  expect((await rest)[1]).toBe("Error: enough");
  const other = await download(receiver);
  await other.body.next();
  await other.body.return(undefined);
  await until("both connections are gone", () => receiver.openConnections() === 0);
});

test("it is guarded like every other call, and follows no redirect", async () => {
  const receiver = await start((socket) => {
    socket.end("HTTP/1.1 302 Found\r\nLocation: http://169.254.169.254/\r\nContent-Length: 0\r\n\r\n");
  });
  const { status, body } = await download(receiver);
  expect([status, await readAll(body)]).toEqual([302, [0, null]]);
  const strict = guardedClient({ allowCidrs: [], allowInsecure: true });
  const question = { headers: {}, timeoutMs: PATIENT_MS, idleMsMax: PATIENT_MS, readBytesMax: 10 };
  const refused = strict.download({ ...question, url: `http://127.0.0.1:${receiver.port}/` });
  await expect(refused).rejects.toThrow("not allowed");
  expect(receiver.connections()).toBe(1);
});
