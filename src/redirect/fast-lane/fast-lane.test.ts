import { afterAll, afterEach, expect, setDefaultTimeout, test } from "bun:test";
import { until } from "#test/support/until.ts";
import { get, link, openLaneStage, redirectsTo } from "./fixtures/lane-stage.ts";

setDefaultTimeout(600_000);
const stage = openLaneStage();
const { start, startCounting, open, errors } = stage;
afterEach(() => stage.close());
afterAll(() => stage.stop());

test("a client that sends its whole upload before reading still receives the 413", async () => {
  const client = await open(start({ tickMs: 1000 }), { reads: false });
  const bodyBytes = 8 * 1024 * 1024;
  const head = Buffer.from(`POST /upload HTTP/1.1\r\nHost: s.example\r\nContent-Length: ${bodyBytes}\r\n\r\n`);
  const upload = Buffer.concat([head, Buffer.alloc(bodyBytes)]);
  let sent = 0;
  await until("all of it is sent", () => {
    sent += Math.max(0, client.write(upload.subarray(sent)));
    return sent === upload.length || client.readyState < 0;
  });
  expect(sent).toBe(upload.length);
  client.resume();
  await until("the refusal arrives", () => client.data.received.startsWith("HTTP/1.1 413"));
});

test("few long answers wait for the journal at a time", async () => {
  const { lane, visits } = startCounting(new Promise(() => {}));
  const client = await open(lane);
  client.write(get("/abc").repeat(64));
  await until("the lane has read the requests", () => visits() > 0);
  expect(visits() * link.location.length).toBeLessThan(80_000);
});

test("a client that resets its connection right after a request causes no error", async () => {
  const { lane, visits } = startCounting();
  const client = await open(lane);
  client.write(get("/abc", "X-Forwarded-For: 192.0.2.1\r\n"));
  await until("the connection is accepted", () => visits() === 1);
  client.write(get("/abc"));
  client.terminate();
  await until("the lane has read the request", () => visits() === 2 || errors.length > 0);
  expect(errors).toEqual([]);
});

test("without change notifications, an answer waits for a read of the changes that began after its request", async () => {
  const reads: PromiseWithResolvers<void>[] = [];
  const lane = start({
    shortLinks: {
      isFresh: false,
      refresh() {
        const read = Promise.withResolvers<void>();
        reads.push(read);
        return read.promise;
      },
      findActive: (slug) => (slug === "abc" ? link : undefined),
      redirect: ({ location }) => ({ location, status: 302, written: undefined }),
    },
  });
  const [first, second] = [await open(lane), await open(lane)];
  first.write(get("/abc").repeat(3));
  await until("changes are read for the first", () => reads.length === 1);
  second.write(get("/abc"));
  await until("changes are read for the second", () => reads.length === 2);
  expect([redirectsTo(first), redirectsTo(second)]).toEqual([0, 0]);
  reads[0]?.resolve();
  await until("the first is answered", () => redirectsTo(first) === 3);
  expect(redirectsTo(second)).toBe(0);
  reads[1]?.resolve();
  await until("the second is answered", () => redirectsTo(second) === 1);
  first.write(get("/abc"));
  await until("changes are read for the next request", () => reads.length === 3);
});
