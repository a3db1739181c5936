import { afterAll, expect, test } from "bun:test";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { engineConsumer } from "#clicks/ingestion/engine-consumer.ts";
import { openDuckDbClicks } from "#engines/clicks/duckdb/duckdb-clicks.ts";
import { withSmallDisk } from "#test/support/small-disk.ts";

const CLICKS = 30_000;
// Time, account, link, flags, visitor and the numbers of four groups of texts.
const LINE = "1767225600000\t1\t1\t0\t0123456789abcdef\t100\t200\t300\t400\n";
const SEGMENT = "local-000-0000000001-00000000.log";

const directory = mkdtempSync(join(tmpdir(), "kurz-batch-"));
afterAll(() => rmSync(directory, { recursive: true }));

test("a batch that the disk stored only in part doesn't count as stored", async () => {
  await withSmallDisk(1, async (disk) => {
    const clicks = openDuckDbClicks({ path: join(directory, "clicks.duckdb"), batchDirectory: disk.path });
    const consumer = engineConsumer(clicks);
    const payload = Buffer.from(LINE.repeat(CLICKS));
    expect(payload.length).toBeGreaterThan(1 << 20);
    const place = { segment: SEGMENT, firstSeq: 0, toOffset: payload.length };
    const slice = { ...place, payload, lines: CLICKS, textsOf: () => "text" };

    await expect(consumer.consume([slice])).rejects.toThrow("ENOSPC");
    expect(await consumer.positionOf(SEGMENT)).toBe(0);
    expect((await clicks.stats()).rows).toBe(0);
    await clicks.close();
  });
});
