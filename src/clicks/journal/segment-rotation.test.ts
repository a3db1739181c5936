import { describe, expect, test } from "bun:test";
import { until } from "#test/support/until.ts";
import { MemoryDisk } from "./fixtures/memory-disk.ts";
import { nextIteration, openOn } from "./fixtures/open-journal.ts";
import { readContents } from "./fixtures/read-journal.ts";

describe("a segment", () => {
  test("starts with the first line, and an idle process leaves no files", async () => {
    const disk = new MemoryDisk();
    const { journal } = openOn(disk);
    await until("the file of the first segment is ready", () => disk.paths().length === 1);
    expect(disk.contents().size).toBe(0);
    await journal.close();
    expect(disk.paths()).toEqual([]);
  });

  test("keeps growing past its limit while no file can be opened, and only that long", async () => {
    let isOutOfFiles = false;
    const disk = new MemoryDisk((_, operation) =>
      isOutOfFiles && operation === "create" ? { code: "EMFILE" } : undefined,
    );
    let now = 0;
    const { journal, losses } = openOn(disk, { segmentBytesMax: 100, clock: () => now });
    const lines = Array.from({ length: 60 }, (_, no) => `line ${no}\n`);
    const write = async (from: number, to: number): Promise<void> => {
      for (const line of lines.slice(from, to)) await journal.append(line);
    };
    await write(0, 4);
    isOutOfFiles = true;
    await write(4, 40);
    // One file was opened in advance.
    expect(journal.stats().segments).toBeLessThanOrEqual(3);
    isOutOfFiles = false;
    now += 1000;
    await write(40, 60);
    expect(journal.stats().segments).toBeGreaterThan(4);
    await journal.close();
    const { lines: found, gaps } = await readContents(disk.contents());
    expect({ found, gaps, losses }).toEqual({ found: lines, gaps: 0, losses: [] });
  });

  test("removes spare files that killed processes of the same writer left, and nothing else", async () => {
    const disk = new MemoryDisk();
    for (const name of ["n-0-7-0.spare", "n-0-9-0.spare", "n-1-3-0.spare", "note.spare"]) {
      await disk.files.create(`/journal/${name}`);
    }
    const { journal } = openOn(disk, { epoch: 8 });
    await journal.close();
    expect(disk.paths()).toEqual(["/journal/n-0-9-0.spare", "/journal/n-1-3-0.spare", "/journal/note.spare"]);
  });

  test("is followed by the next when it is full", async () => {
    const disk = new MemoryDisk();
    const { journal } = openOn(disk, { segmentBytesMax: 100 });
    const lines = Array.from({ length: 12 }, (_, no) => `line ${no}\n`);
    for (const line of lines) await journal.append(line);
    await journal.close();
    const contents = disk.contents();
    expect([...contents.keys()]).toEqual(
      Array.from({ length: 3 }, (_, no) => `/journal/n-000-0000000001-${String(no).padStart(8, "0")}.log`),
    );
    for (const content of contents.values()) expect(content.length).toBeLessThan(200);
    const { lines: found, gaps } = await readContents(contents);
    expect({ found, gaps }).toEqual({ found: lines, gaps: 0 });
  });

  test("ends when it is old, even without another click", async () => {
    const disk = new MemoryDisk();
    const { journal } = openOn(disk, { segmentAgeMsMax: 5 });
    await journal.append("a\n");
    while (disk.count("close") === 0) await nextIteration();
    expect([...disk.contents().values()].map(String)).toEqual([
      expect.stringMatching(/ 2 0 1 0 3 0\na\n.\w{8} 0 1 0 \d+ 3 0\n$/),
    ]);
    await journal.append("b\n");
    expect(disk.contents().size).toBe(2);
    await journal.close();
  });

  test("never overwrites an existing file", async () => {
    const disk = new MemoryDisk();
    const before = openOn(disk);
    await before.journal.append("before\n");
    await before.journal.close();
    const { journal } = openOn(disk);
    await journal.append("after\n");
    await journal.close();
    expect((await readContents(disk.contents())).lines).toEqual(["before\n", "after\n"]);
  });
});
