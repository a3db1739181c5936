import { afterEach, beforeEach, expect, setDefaultTimeout, test } from "bun:test";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { encodeClick, openClickShapes } from "#clicks/click-shapes.ts";
import { counterConsumer } from "#clicks/ingestion/counter-consumer.ts";
import { startIngestion } from "#clicks/ingestion/ingestion.ts";
import type { SegmentSlice } from "#clicks/ingestion/journal-consumer.ts";
import { openJournalWriter } from "#clicks/journal/journal-writer.ts";
import type { WebhookData } from "#contract/webhooks.ts";
import type { Click } from "#engines/clicks/click-format.ts";
import type { Caller } from "#kernel/caller.ts";
import { clickSlice } from "#test/support/click-slices.ts";
import { ownKey } from "#test/support/own-key.ts";
import { plainClick } from "#test/support/plain-click.ts";
import { createTestLink } from "#test/support/test-links.ts";
import { newTestCaller } from "#test/support/test-records.ts";
import { until } from "#test/support/until.ts";
import { openWebhookLab, TEST_ORIGIN, type WebhookLab } from "#test/support/webhook-lab.ts";
import { clickEvents } from "./click-events.ts";
import { clickIds } from "./click-id.ts";

setDefaultTimeout(600_000);

type ClickItem = WebhookData<"link.clicked">["clicks"][number];

let lab: WebhookLab;
let endpoint: string;
let linkNo: number;

beforeEach(async () => {
  lab = await openWebhookLab();
  ({ id: endpoint } = await lab.register("https://hook.example/", ["link.clicked"]));
  linkNo = await newLink(lab.caller, "clicked");
});
afterEach(() => lab.close());

async function newLink(caller: Caller, slug: string): Promise<number> {
  await createTestLink(lab.links, caller, { slug });
  const row = lab.records.read.selectFrom("links").select("no").where("key", "=", ownKey(slug));
  return (await row.executeTakeFirstOrThrow()).no;
}

const clickOf = (click: Partial<Click> = {}): Click => ({
  ...plainClick,
  at_ms: Date.UTC(2026, 0, 1),
  account_no: lab.caller.accountNo,
  link_no: linkNo,
  visitor: "0123456789abcdef",
  country: "DE",
  referrer: "news.example",
  language: "de",
  device: "mobile",
  browser: "Firefox",
  source: "qr",
  rule: "test/a",
  ...click,
});

const sliceOf = (clicks: readonly Click[], firstSeq = 7): SegmentSlice =>
  clickSlice(clicks, { firstSeq, toOffset: 1000 });

const consume = (clicks: readonly Click[], firstSeq?: number, pendingMax?: number) => {
  const { records, outbox, clock } = lab;
  const listener = clickEvents({
    records,
    outbox,
    clock,
    origin: TEST_ORIGIN,
    clickId: clickIds("a key for tests"),
    ...(pendingMax !== undefined && { pendingMax }),
  });
  return counterConsumer(records, { companion: listener }).consume([sliceOf(clicks, firstSeq)]);
};

async function batches(accountNo = lab.caller.accountNo): Promise<ClickItem[][]> {
  const rows = await lab.records.read
    .selectFrom("webhook_events")
    .select("body")
    .where("type", "=", "link.clicked")
    .where("account_no", "=", accountNo)
    .orderBy("no")
    .execute();
  return rows.map(({ body }) => (JSON.parse(body) as { data: { clicks: ClickItem[] } }).data.clicks);
}

test("a click by a person is sent, with coarse fields only", async () => {
  await consume([clickOf(), clickOf({ bot: true })]);
  const link = await lab.records.read
    .selectFrom("links")
    .select("id")
    .where("no", "=", linkNo)
    .executeTakeFirstOrThrow();
  expect(await batches()).toEqual([
    [
      {
        id: expect.stringMatching(/^clk_[0-9a-f]{32}$/),
        at: "2026-01-01T00:00:00.000Z",
        country: "DE",
        referrer: "news.example",
        device: "mobile",
        browser: "Firefox",
        os: null,
        source: "qr",
        rule: "test/a",
        link: { id: link.id, short_url: "https://s.example/clicked", domain: "s.example", slug: "clicked" },
      },
    ],
  ]);
});

test("click ids are derived from writer and sequence number, and are unique", async () => {
  await consume(Array.from({ length: 250 }, () => clickOf()));
  await consume([clickOf()], 256);
  const ids = (await batches()).flat().map(({ id }) => id);
  expect(ids).toHaveLength(251);
  expect(new Set(ids).size).toBe(250);
  expect(ids.at(-1)).toBe(ids[249] as string);
});

test("a delivery holds at most 100 clicks and 64 KiB", async () => {
  await consume(Array.from({ length: 201 }, () => clickOf({ referrer: "ü".repeat(255) })));
  const sizes = (await batches()).map((clicks) => clicks.length);
  expect(sizes.reduce((sum, size) => sum + size)).toBe(201);
  expect(Math.max(...sizes)).toBeLessThanOrEqual(100);
  const rows = await lab.records.read.selectFrom("webhook_events").select("body").execute();
  for (const { body } of rows) expect(Buffer.byteLength(body)).toBeLessThanOrEqual(64 * 1024);
});

test("only accounts with a subscribed endpoint get their clicks", async () => {
  const [quiet, stranger] = [await newTestCaller(lab.records), await newTestCaller(lab.records)];
  await lab.register("https://hook.example/", undefined, quiet);
  const lines = [quiet, stranger].map(({ accountNo }) => clickOf({ account_no: accountNo }));
  await consume(lines);
  expect(await batches(quiet.accountNo)).toEqual([]);
  expect(await batches(stranger.accountNo)).toEqual([]);
  await lab.webhooks.endpoints.disable(lab.caller, endpoint);
  await consume([clickOf()]);
  expect(await batches()).toEqual([]);
});

test("clicks of a link deleted in the meantime are not sent", async () => {
  const { id } = await createTestLink(lab.links, lab.caller);
  const row = lab.records.read.selectFrom("links").select("no").where("id", "=", id);
  const { no } = await row.executeTakeFirstOrThrow();
  await lab.links.delete(lab.caller, id, null);
  await consume([clickOf({ link_no: no })]);
  expect(await batches()).toEqual([]);
});

test("pending deliveries are bounded, and dropped clicks are counted for the owner to see", async () => {
  await consume(
    Array.from({ length: 550 }, () => clickOf()),
    0,
    3,
  );
  expect((await batches()).flat()).toHaveLength(300);
  const [listed] = await lab.webhooks.endpoints.list(lab.caller);
  expect(listed?.clicks_dropped).toBe(250);
});

test("every click in the journal is sent exactly once, however often the consumer fails", async () => {
  const directory = mkdtempSync(join(tmpdir(), "kurz-click-events-"));
  const writer = openJournalWriter({
    directory,
    node: "local",
    writer: 0,
    epoch: 1,
    durability: "os",
    bytesMax: 1 << 30,
    onLoss: (reason) => {
      throw new Error(reason);
    },
  });
  let rounds = 0;
  const counters = counterConsumer(lab.records, { companion: lab.webhooks.clicks });
  const ingestion = startIngestion({
    directory,
    // The writer is still alive; it just paused.
    liveFromEpoch: 1,
    consumers: [
      {
        ...counters,
        async consume(slices) {
          rounds += 1;
          if (rounds % 2 === 1) throw new Error("away");
          await counters.consume(slices);
        },
      },
    ],
    onProblem: () => {},
    intervalMs: 5,
  });
  const { line, uses } = encodeClick(clickOf(), openClickShapes());
  for (let click = 0; click < 400; click += 1) await writer.append(line, uses);
  await writer.close();
  const count = lab.records.read.selectFrom("link_counts").select("click_count").where("link_no", "=", linkNo);
  await until("all is counted", async () => (await count.executeTakeFirstOrThrow()).click_count === 400);
  await ingestion.stop();
  rmSync(directory, { recursive: true });
  const ids = (await batches()).flat().map(({ id }) => id);
  expect(ids).toHaveLength(400);
  expect(new Set(ids).size).toBe(400);
});
