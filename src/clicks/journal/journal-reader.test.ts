import { afterAll, describe, expect, test } from "bun:test";
import { appendFileSync, mkdtempSync, readFileSync, rmSync, truncateSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { buf as crc32 } from "crc-32";
import { inspectSegment, readSlice } from "./journal-reader.ts";
import { openJournalWriter } from "./journal-writer.ts";

const root = mkdtempSync(join(tmpdir(), "kurz-journal-reader-"));
afterAll(() => rmSync(root, { recursive: true }));
let segments = 0;

/** Writes each list of lines as one block of a segment, and ends it if asked to. */
async function writeSegment(blocks: readonly (readonly string[])[], { isEnded = false } = {}) {
  segments += 1;
  const journal = openJournalWriter({
    directory: root,
    node: "n",
    writer: 0,
    epoch: segments,
    durability: "os",
    bytesMax: 1e9,
    // On a busy machine, too, a line is in the file when it is answered.
    diskTimeoutMs: 600_000,
    onLoss(reason) {
      throw new Error(reason);
    },
  });
  for (const lines of blocks) await Promise.all(lines.map((line) => journal.append(line)));
  const path = join(root, `n-000-${String(segments).padStart(10, "0")}-00000000.log`);
  const written = readFileSync(path);
  await journal.close();
  if (!isEnded) writeFileSync(path, written);
  return { path, live: { path, isFinal: false }, left: { path, isFinal: true }, size: readFileSync(path).length };
}

const textOf = ({ payload }: { readonly payload: Buffer }): string => payload.toString();
const MUCH = 1_000_000;

test("a block matches the format, by an independent checksum", async () => {
  const { path } = await writeSegment([["é\tb\n", "c\n"], ["d\n"]], { isEnded: true });
  const name = path.slice(path.lastIndexOf("/") + 1);
  const sum = (text: string): string =>
    (crc32(Buffer.from(text), crc32(Buffer.from(name))) >>> 0).toString(16).padStart(8, "0");
  const bodies = ["7 0 2 0 3 0\né\tb\nc\n", "2 2 1 29 3 0\nd\n", "0 3 0 54 3 0\n"];
  expect(readFileSync(path, "utf8")).toBe(bodies.map((body) => `\x01${sum(body)} ${body}`).join(""));
});

describe("an intact segment", () => {
  test("of a running writer is read to its last whole block, and on from there later", async () => {
    const { path, live, size } = await writeSegment([["a\n", "b\n"], ["c\n"]]);
    const content = readFileSync(path);
    truncateSync(path, size - 1);
    const first = await readSlice(live, 0, MUCH);
    expect(first).toMatchObject({ lines: 2, firstSeq: 0, lastSeq: 1, state: "not yet", skippedBytes: 0 });
    expect(textOf(first)).toBe("a\nb\n");
    appendFileSync(path, content.subarray(size - 1));
    const second = await readSlice(live, first.toOffset, MUCH);
    expect(second).toMatchObject({ lines: 1, firstSeq: 2, lastSeq: 2, toOffset: size, state: "not yet" });
    expect(await readSlice(live, size, MUCH)).toMatchObject({
      lines: 0,
      firstSeq: null,
      toOffset: size,
      state: "not yet",
    });
  });

  test("ends with its end block, even while its writer runs", async () => {
    const { live, size } = await writeSegment([["a\n"]], { isEnded: true });
    expect(await readSlice(live, 0, MUCH)).toMatchObject({ lines: 1, state: "end", toOffset: size });
    expect(await readSlice(live, size, MUCH)).toMatchObject({ lines: 0, state: "end", toOffset: size });
  });

  test("that is final ends where its bytes end", async () => {
    const { left, size } = await writeSegment([["a\n"]]);
    expect(await readSlice(left, 0, MUCH)).toMatchObject({ lines: 1, state: "end", toOffset: size });
    expect(await readSlice(left, size, MUCH)).toMatchObject({ lines: 0, state: "end", toOffset: size });
  });

  test("is read in slices of whole blocks, at least one however small the slice", async () => {
    const blocks = Array.from({ length: 20 }, (_, no) => Array.from({ length: 5 }, (__, line) => `${no}\t${line}\n`));
    const { left, size } = await writeSegment(blocks, { isEnded: true });
    for (const bytesMax of [0, 1, 60, 100, 500, MUCH]) {
      let text = "";
      let offset = 0;
      for (let state = "more"; state === "more"; ) {
        const slice = await readSlice(left, offset, bytesMax);
        expect(slice.toOffset - offset).toBeLessThanOrEqual(Math.max(bytesMax, 128));
        text += textOf(slice);
        ({ toOffset: offset, state } = slice);
      }
      expect({ text, offset }).toEqual({ text: blocks.flat().join(""), offset: size });
    }
  });

  test("returns a block that is larger than the slice", async () => {
    const line = `${"x".repeat(300_000)}\n`;
    const { left } = await writeSegment([["a\n"], [line], ["b\n"]]);
    const first = await readSlice(left, 0, 1000);
    const second = await readSlice(left, first.toOffset, 1000);
    expect([textOf(first), textOf(second) === line, second.state]).toEqual(["a\n", true, "more"]);
  });
});

describe("a damaged segment", () => {
  test("of a dead writer is torn where the last block was cut off, and needs no quarantine", async () => {
    const { path, live, left, size } = await writeSegment([["a\n"], ["bcd\n"]]);
    for (let cut = 1; cut < 20; cut += 1) {
      truncateSync(path, size - cut);
      expect(await readSlice(live, 0, MUCH)).toMatchObject({ lines: 1, state: "not yet" });
      const first = await readSlice(left, 0, MUCH);
      expect(first).toMatchObject({ lines: 1, state: "more" });
      const last = await readSlice(left, first.toOffset, MUCH);
      expect(last).toMatchObject({ lines: 0, state: "torn", toOffset: size - cut, skippedBytes: 0 });
    }
  });

  test("may end in zeros after a power cut, and needs no quarantine", async () => {
    const { path, left, size } = await writeSegment([["a\n"]]);
    appendFileSync(path, Buffer.alloc(5000));
    expect(await inspectSegment(left)).toEqual({ lines: 1, state: "torn", skippedBytes: 0, missingLines: 0 });
    expect((await readSlice(left, size, MUCH)).toOffset).toBe(size + 5000);
  });

  test("loses the damaged block only, reports how many lines it had, and goes to quarantine", async () => {
    const { path, live, left, size } = await writeSegment([["a\n"], ["b\n", "c\n", "d\n"], ["e\n"]]);
    const content = readFileSync(path);
    content[content.indexOf("c\n")] = 0x78;
    writeFileSync(path, content);
    const first = await readSlice(left, 0, MUCH);
    expect([textOf(first), first.state]).toEqual(["a\n", "more"]);
    const second = await readSlice(left, first.toOffset, MUCH);
    expect(second).toMatchObject({ lines: 1, firstSeq: 4, state: "more", missingLines: 3, toOffset: size });
    expect(second.skippedBytes).toBeGreaterThan(20);
    expect(textOf(second)).toBe("e\n");
    // While its writer runs, the reader waits: it may have read in the middle of a write.
    expect(await readSlice(live, first.toOffset, MUCH)).toMatchObject({ lines: 0, state: "not yet" });
  });

  test("is read to its end even if a header claims an absurd length", async () => {
    const { path, left } = await writeSegment([["a\n"]]);
    appendFileSync(path, `\x01deadbeef 99999999 1 1 ${readFileSync(path).length}\n`);
    expect(await inspectSegment(left)).toMatchObject({ lines: 1, state: "torn" });
  });

  test("has ended if it was truncated below what was read, or is gone", async () => {
    const { path, left, size } = await writeSegment([["a\n"]]);
    truncateSync(path, 5);
    expect(await readSlice(left, size, MUCH)).toMatchObject({ lines: 0, state: "end", toOffset: size });
    rmSync(path);
    expect(await readSlice(left, size, MUCH)).toMatchObject({ lines: 0, state: "end", toOffset: size });
  });

  test("yields nothing if it isn't ours", async () => {
    const { path, left } = await writeSegment([["a\n"]]);
    writeFileSync(path, "GIF89a and so on\n");
    expect(await inspectSegment(left)).toMatchObject({ lines: 0, state: "torn", skippedBytes: 17 });
  });
});
