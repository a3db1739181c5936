import { expect, test } from "bun:test";
import fc from "fast-check";
import { encodeClick, openClickShapes } from "#clicks/click-shapes.ts";
import { type Click, parseClick } from "#engines/clicks/click-format.ts";
import { plainClick } from "#test/support/plain-click.ts";
import { type Fault, MemoryDisk, type Operation } from "./fixtures/memory-disk.ts";
import { openOn } from "./fixtures/open-journal.ts";
import { sourceOf, splitLines } from "./fixtures/read-journal.ts";
import { seedOf } from "./journal-block.ts";
import { type Slice, sliceFrom } from "./journal-slice.ts";

const clickOf = (no: number): Click => ({
  ...plainClick,
  at_ms: 1_767_225_600_000 + no,
  account_no: 1,
  link_no: no,
  country: ["DE", "FR", "US"][no % 3] ?? "",
  city: no % 7 === 0 ? "Köln" : "",
  referrer: `${no % 5}.example`,
  utm_campaign: `campaign ${no % 11}`,
});

async function slicesOf(path: string, content: Buffer, bytesMax: number): Promise<Slice[]> {
  const slices: Slice[] = [];
  for (let fromOffset = 0; ; ) {
    const place = { seed: seedOf(path), isFinal: true, fromOffset, bytesMax };
    const slice = await sliceFrom(sourceOf(content), place);
    slices.push(slice);
    fromOffset = slice.toOffset;
    if (slice.state !== "more") return slices;
  }
}

/** The clicks of each segment, with nothing but its own definitions. */
async function readClicks(contents: ReadonlyMap<string, Buffer>, bytesMax = 512): Promise<Click[]> {
  const clicks: Click[] = [];
  for (const [path, content] of contents) {
    const slices = await slicesOf(path, content, bytesMax);
    const texts = new Map(slices.flatMap(({ definitions }) => [...definitions]));
    for (const line of slices.flatMap(({ payload }) => splitLines(payload))) {
      clicks.push(parseClick(line, (no) => texts.get(no)));
    }
  }
  return clicks;
}

async function write(disk: MemoryDisk, count: number, options = {}): Promise<Set<number>> {
  const { journal, losses } = openOn(disk, options);
  const shapes = openClickShapes();
  const lost = new Set<number>();
  for (let no = 0; no < count; no += 1) {
    const before = losses.length;
    const { line, uses } = encodeClick(clickOf(no), shapes);
    await journal.append(line, uses);
    if (losses.length > before) lost.add(no);
  }
  await journal.close();
  return lost;
}

test("every segment defines the texts that its lines refer to, once", async () => {
  const disk = new MemoryDisk();
  await write(disk, 300, { segmentBytesMax: 2000 });
  expect(disk.contents().size).toBeGreaterThan(3);
  expect(await readClicks(disk.contents())).toEqual(Array.from({ length: 300 }, (_, no) => clickOf(no)));
  for (const content of disk.contents().values()) {
    const defined = content.toString().match(/^\d+\t\t\tcampaign \d+/gm) ?? [];
    expect(defined.length).toBeGreaterThan(0);
    expect(new Set(defined).size).toBe(defined.length);
  }
});

test("whatever writes fail, a click in the journal has its texts", async () => {
  const fault = fc.record({
    code: fc.constantFrom("EIO" as const, "ENOSPC" as const),
    writtenShare: fc.double({ min: 0, max: 1, noNaN: true }),
  });
  await fc.assert(
    fc.asyncProperty(fc.array(fc.option(fault, { freq: 3 }), { minLength: 40, maxLength: 40 }), async (faults) => {
      const faultOf = (call: number, operation: Operation): Fault | undefined =>
        operation === "write" ? (faults[call % faults.length] ?? undefined) : undefined;
      const disk = new MemoryDisk(faultOf);
      const clock = { ms: 0 };
      const options = { segmentBytesMax: 1500, clock: () => (clock.ms += 200) };
      const lost = await write(disk, 60, options);
      const kept = Array.from({ length: 60 }, (_, no) => no).filter((no) => !lost.has(no));
      expect(await readClicks(disk.contents())).toEqual(kept.map(clickOf));
    }),
    { numRuns: 40 },
  );
});

test("a definition that is damaged costs its texts, not the clicks that refer to it", async () => {
  const disk = new MemoryDisk();
  await write(disk, 40);
  const [[path, content] = ["", Buffer.alloc(0)]] = disk.contents();
  const damaged = Buffer.from(content);
  damaged[content.indexOf("0.example")] = 0x78;
  const slices = await slicesOf(path, damaged, 100_000);
  expect(slices.reduce((sum, { lines }) => sum + lines, 0)).toBe(39);
  expect(slices.some(({ skippedBytes }) => skippedBytes > 0)).toBe(true);
  const clicks = await readClicks(new Map([[path, damaged]]), 100_000);
  // The first click's block is gone; its referrer is that of every fifth, and the others have theirs.
  const expected = Array.from({ length: 39 }, (_, index) => clickOf(index + 1));
  expect(clicks.map(({ link_no }) => link_no)).toEqual(expected.map(({ link_no }) => link_no));
  expect(clicks.map(({ referrer }) => referrer)).toEqual(
    expected.map(({ referrer }) => (referrer === "0.example" ? "" : referrer)),
  );
});
