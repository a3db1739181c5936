import { afterEach, beforeEach, expect, setDefaultTimeout, test } from "bun:test";
import { appendFileSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { encodeClick, openClickShapes } from "#clicks/click-shapes.ts";
import { seedOf } from "#clicks/journal/journal-block.ts";
import { readSlice } from "#clicks/journal/journal-reader.ts";
import { openJournalWriter } from "#clicks/journal/journal-writer.ts";
import { CLICK_FORMAT, type Click, parseClick, type TextsOf } from "#engines/clicks/click-format.ts";
import { BadClicks, type ClicksEngine } from "#engines/clicks/clicks-engine.ts";
import { openDuckDbClicks } from "#engines/clicks/duckdb/duckdb-clicks.ts";
import { plainClick } from "#test/support/plain-click.ts";
import { until } from "#test/support/until.ts";
import { engineConsumer } from "./engine-consumer.ts";
import { startIngestion } from "./ingestion.ts";
import type { JournalConsumer } from "./journal-consumer.ts";
import { SegmentTexts } from "./segment-texts.ts";

setDefaultTimeout(600_000);

let directory: string;
let clicks: ClicksEngine;
beforeEach(() => {
  directory = mkdtempSync(join(tmpdir(), "kurz-kept-"));
  clicks = openDuckDbClicks({ path: join(directory, "clicks.duckdb"), batchDirectory: join(directory, "batches") });
});
afterEach(async () => {
  await clicks.close();
  rmSync(directory, { recursive: true });
});

const journal = () => join(directory, "journal");
const segments = () => readdirSync(journal()).filter((name) => name.endsWith(".log"));

const clickOf = (no: number): Click => ({
  ...plainClick,
  at_ms: Date.UTC(2026, 0, 1) + no,
  account_no: 1,
  link_no: 1 + (no % 3),
  country: no % 2 ? "DE" : "FR",
  utm_campaign: `campaign ${no % 40}`,
});

async function writeClicks(epoch: number, count: number, change = (line: string) => line): Promise<void> {
  const writer = openJournalWriter({
    ...{ directory: journal(), node: "local", writer: 0, epoch, durability: "os", bytesMax: 1 << 30 },
    onLoss(reason) {
      throw new Error(`a click was lost: ${reason}`);
    },
  });
  const shapes = openClickShapes();
  for (let no = 0; no < count; no += 1) {
    const { line, uses } = encodeClick(clickOf(no), shapes);
    await writer.append(change(line), uses);
  }
  await writer.close();
}

const start = (problems: string[], consumers: readonly JournalConsumer[] = [engineConsumer(clicks)]) =>
  startIngestion({
    directory: journal(),
    liveFromEpoch: Number.POSITIVE_INFINITY,
    consumers,
    onProblem: (message, error) => problems.push(`${message}: ${error}`),
    intervalMs: 5,
  });

for (const [name, change] of [
  ["a field more", (line: string) => line.replace("\n", "\t1\n")],
  ["a field less", (line: string) => line.replace(/\t\d+\n/, "\n")],
  ["a bad number", (line: string) => line.replace(/^\d/, "x")],
] as const) {
  test(`a segment with ${name} is kept and reported, and the others go on`, async () => {
    await writeClicks(1, 20);
    await writeClicks(2, 20, change);
    await writeClicks(3, 20);
    const problems: string[] = [];
    const ingestion = start(problems);
    await until("the other segments are stored", () => segments().length === 1);
    expect(segments()).toEqual(["local-000-0000000002-00000000.log"]);
    expect((await clicks.stats()).rows).toBe(40);
    await until("it counts as unreadable", () => ingestion.stats().unreadableSegments === 1);
    expect(problems.join("\n")).toContain("local-000-0000000002-00000000.log");
    // Once, not in every turn.
    expect(problems).toHaveLength(1);
    await ingestion.stop();
    expect(segments()).toHaveLength(1);
  });
}

test("a segment in a later format is kept and reported, and the others go on", async () => {
  await writeClicks(1, 20);
  await writeClicks(3, 20);
  const later = join(journal(), "local-000-0000000002-00000000.log");
  const body = `9 0 1 0 ${CLICK_FORMAT + 1} 0\nanything\n`;
  const crc = Bun.hash.crc32(Buffer.from(body), seedOf(later)).toString(16).padStart(8, "0");
  writeFileSync(later, `\x01${crc} ${body}`);
  const problems: string[] = [];
  const ingestion = start(problems);
  await until("the other segments are stored", () => segments().length === 1);
  expect((await clicks.stats()).rows).toBe(40);
  await ingestion.stop();
  expect(ingestion.stats().unreadableSegments).toBe(1);
  expect(problems[0]).toContain(`format ${CLICK_FORMAT + 1}`);
  expect(readFileSync(later, "utf8")).toEndWith(body);
});

test("if an engine can't tell which segment of a batch it refuses, only that one is kept", async () => {
  for (const epoch of [1, 2, 3]) await writeClicks(epoch, 20);
  const [, bad = ""] = segments();
  const engine = engineConsumer(clicks);
  const vague: JournalConsumer = {
    ...engine,
    async consume(slices) {
      if (!slices.some(({ segment }) => segment === bad)) return engine.consume(slices);
      const names = new Set(slices.map(({ segment }) => segment));
      throw new BadClicks([...names].join(", "), "19 of 20 were stored");
    },
  };
  const problems: string[] = [];
  const ingestion = start(problems, [vague]);
  await until("only one is left", () => segments().length === 1);
  await ingestion.stop();
  expect(segments()).toEqual([bad]);
  expect((await clicks.stats()).rows).toBe(40);
  expect(ingestion.stats()).toMatchObject({ unreadableSegments: 1, consumers: [{ clicks: 40 }] });
  expect(problems).toEqual([expect.stringContaining(bad)]);
});

test("the texts of a segment of the release before are forgotten with their slice", async () => {
  const segment = { path: join(journal(), "local-000-0000000001-00000000.log"), isFinal: true };
  mkdirSync(journal());
  const line = (no: number) => `1000\t7\t1\t0\t\tDE\t\t\t\tde\tmobile\tSafari\tiOS\tlink\t\t\tspring ${no}\t\t\n`;
  let content = Buffer.alloc(0);
  for (const no of [0, 1, 2]) {
    const header = `${Buffer.byteLength(line(no))} ${no} 1 ${content.length}\n`;
    const crc = Bun.hash
      .crc32(header + line(no), seedOf(segment.path))
      .toString(16)
      .padStart(8, "0");
    content = Buffer.concat([content, Buffer.from(`\x01${crc} ${header}${line(no)}`)]);
  }
  writeFileSync(segment.path, content);
  const texts = new SegmentTexts();
  const read: { readonly line: string; readonly textsOf: TextsOf }[] = [];
  for (let offset = 0; offset < content.length; ) {
    const slice = await readSlice(segment, offset, 1);
    read.push({ line: slice.payload.toString(), textsOf: await texts.of(segment, offset, slice) });
    offset = slice.toOffset;
  }
  expect(read.map(({ line, textsOf }) => parseClick(line, textsOf).utm_campaign)).toEqual(
    [0, 1, 2].map((no) => `spring ${no}`),
  );
  // A whole segment of them takes 140 MB.
  const [first, , last] = read;
  expect(parseClick(first?.line ?? "", last?.textsOf ?? (() => "")).utm_campaign).toBe("");
});

test("a reader that starts in the middle of a segment knows the texts defined before", async () => {
  await writeClicks(1, 200);
  const [name = ""] = segments();
  const segment = { path: join(journal(), name), isFinal: true };
  const seen = new SegmentTexts();
  let read = 0;
  for (let offset = 0; ; ) {
    const slice = await readSlice(segment, offset, 1000);
    // As after a restart: nothing before this offset was read.
    const restarted = await new SegmentTexts().of(segment, offset, slice);
    const continued = await seen.of(segment, offset, slice);
    for (const line of slice.payload.toString().split("\n").slice(0, -1)) {
      for (const textsOf of [restarted, continued]) expect(parseClick(`${line}\n`, textsOf)).toEqual(clickOf(read));
      read += 1;
    }
    offset = slice.toOffset;
    if (slice.state !== "more") break;
  }
  expect(read).toBe(200);
});

test("clicks whose definition is damaged count, and the segment goes aside", async () => {
  await writeClicks(1, 100);
  const [name = ""] = segments();
  const path = join(journal(), name);
  const content = readFileSync(path);
  content[content.indexOf("campaign 7")] = 0x78;
  writeFileSync(path, content);
  appendFileSync(path, "");
  const problems: string[] = [];
  const ingestion = start(problems);
  await until("it is put aside", () => segments().length === 0);
  await ingestion.stop();
  const fromMs = Date.UTC(2026, 0, 1);
  const { totals, breakdowns } = await clicks.report({
    ...{ accountNo: 1, linkNo: null, fromMs, toMs: fromMs + 1000, bucketStartsMs: [fromMs], filters: {} },
    ...{ includeBots: false, groupBy: ["utm_campaign"], limit: 50, breakdownVisitors: false, previous: null },
  });
  // One block with one click is gone; two more clicks have the campaign that it defined.
  expect(totals.clicks).toBe(99);
  const { items = [] } = breakdowns.get("utm_campaign") ?? {};
  expect(items.find(({ key }) => key === null)?.clicks).toBe(2);
  expect(items.find(({ key }) => key === "campaign 8")?.clicks).toBe(3);
  expect(readdirSync(join(journal(), "quarantine"))).toEqual([name]);
});
