import { afterAll, beforeAll, expect, setDefaultTimeout, test } from "bun:test";
import { gunzipSync, gzipSync } from "node:zlib";
import { ARCHIVE_PART_BYTES_MAX, nameOfPart } from "#contract/account-archive.ts";
import { type AccountLab, openAccountLab, recordsOf } from "#test/support/account-lab.ts";
import { createTestLink } from "#test/support/test-links.ts";
import { BadArchive } from "./bad-archive.ts";
import { readArchive } from "./read-archive.ts";
import { BLOCK_BYTES, checksumOf, fields, paddingOf, tarHeader } from "./tar-header.ts";

setDefaultTimeout(600_000);

let lab: AccountLab;
let archive: Buffer<ArrayBuffer>;
beforeAll(async () => {
  lab = await openAccountLab();
  const link = await createTestLink(lab.links, lab.caller, { slug: "one" });
  await lab.links.update(lab.caller, link.id, { title: "One" }, null);
  await lab.click(link, [{ country: "DE" }]);
  archive = await lab.download();
});
afterAll(() => lab.close());

interface Entry {
  readonly name: string;
  readonly text: string;
}

/** The files of a good archive. */
function entriesOf(bytes: Uint8Array): Entry[] {
  const tar = gunzipSync(bytes);
  const entries: Entry[] = [];
  for (let at = 0; tar[at] !== 0; ) {
    const name = tar.toString("latin1", at, at + fields.name.bytes).replace(/\0.*$/, "");
    const size = Number.parseInt(tar.toString("latin1", at + fields.size.at, at + fields.size.at + 11), 8);
    entries.push({ name, text: tar.toString("utf8", at + BLOCK_BYTES, at + BLOCK_BYTES + size) });
    at += BLOCK_BYTES + size + paddingOf(size);
  }
  return entries;
}

function tarOf(entries: readonly Entry[]): Buffer {
  const parts = entries.flatMap(({ name, text }) => {
    const bytes = Buffer.from(text);
    const header = tarHeader({ name, bytes: bytes.byteLength, modifiedAtMs: 0 });
    return [header, bytes, Buffer.alloc(paddingOf(bytes.byteLength))];
  });
  return Buffer.concat([...parts, Buffer.alloc(2 * BLOCK_BYTES)]);
}

const problemOf = async (bytes: Uint8Array): Promise<string> => {
  try {
    await recordsOf(new Uint8Array(bytes));
  } catch (error) {
    if (!(error instanceof BadArchive)) throw error;
    return error.message;
  }
  return "";
};

const changed = (name: string, change: (text: string) => string): Buffer =>
  gzipSync(
    tarOf(entriesOf(archive).map((entry) => (entry.name === name ? { name, text: change(entry.text) } : entry))),
  );

test("an archive is read as it was written, also compressed in one piece", async () => {
  const { links, history, counts } = await recordsOf(archive);
  expect([links.length, history.length, counts.length]).toEqual([1, 1, 1]);
  expect(await recordsOf(new Uint8Array(gzipSync(gunzipSync(archive), { level: 1 })))).toEqual(
    await recordsOf(archive),
  );
  expect(await problemOf(gzipSync(tarOf(entriesOf(archive))))).toBe("");
});

test("wherever an archive is cut off, that is noticed", async () => {
  const tar = gunzipSync(archive);
  const ends = Array.from({ length: 40 }, (_, index) => Math.floor((index * archive.byteLength) / 40));
  for (const end of [...ends, archive.byteLength - 1]) {
    expect(await problemOf(archive.subarray(0, end))).toMatch(/damaged or cut off|incomplete/);
  }
  for (let end = 0; end < tar.byteLength - 2 * BLOCK_BYTES; end += BLOCK_BYTES) {
    expect(await problemOf(gzipSync(tar.subarray(0, end)))).toMatch(/incomplete/);
  }
});

test("bytes that were changed on the way are noticed, unless they mean nothing", async () => {
  const records = await recordsOf(archive);
  let noticed = 0;
  for (let at = 0; at < archive.byteLength; at += 1) {
    const damaged = Buffer.from(archive);
    damaged[at] = (damaged[at] ?? 0) ^ 0xff;
    // The time and the system in the head of a gzip member have no checksum.
    if ((await problemOf(damaged)) === "") expect(await recordsOf(damaged)).toEqual(records);
    else noticed += 1;
  }
  expect(noticed).toBeGreaterThan(archive.byteLength * 0.9);
});

test("names that no export has are refused, and so are links, devices and long names", async () => {
  const entries = entriesOf(archive);
  for (const name of ["../../etc/passwd", "/etc/passwd", "links/../x", "links/000002.ndjson", "links/1.ndjson", "x"]) {
    const [manifest, ...rest] = entries;
    if (!manifest) throw new Error("no manifest");
    expect(await problemOf(gzipSync(tarOf([manifest, { name, text: "" }, ...rest])))).toContain(`"${name}"`);
  }
  const tar = gunzipSync(archive);
  for (const type of ["1", "2", "3", "5", "x", "L", "\0"]) {
    const odd = Buffer.from(tar);
    odd.write(type, fields.type.at, "latin1");
    odd.write(checksumOf(odd).toString(8).padStart(6, "0"), fields.checksum.at, "latin1");
    expect(await problemOf(gzipSync(odd))).toContain("which no export has");
  }
});

test("files in another order, twice or left out are noticed", async () => {
  const entries = entriesOf(archive);
  expect(await problemOf(gzipSync(tarOf(entries.toReversed())))).toContain("doesn't begin with manifest.json");
  const links = entries.findIndex(({ name }) => name.startsWith("links/"));
  const [manifest, ...others] = entries;
  if (!manifest) throw new Error("no manifest");
  const sorted = [manifest, ...others.toSorted((a, b) => (a.name < b.name ? -1 : 1))];
  expect(await problemOf(gzipSync(tarOf(sorted)))).toMatch(/isn't where exports have it|after end.json|damaged/);
  expect(await problemOf(gzipSync(tarOf(entries.toSpliced(links, 1))))).toMatch(/isn't where/);
  const counts = entries.findIndex(({ name }) => name.startsWith("counts/"));
  expect(await problemOf(gzipSync(tarOf(entries.toSpliced(counts, 1))))).toContain("counts has 0 records instead of 1");
  expect(await problemOf(gzipSync(tarOf(entries.slice(0, -1))))).toContain("end.json is missing");
  expect(await problemOf(gzipSync(tarOf([...entries, manifest])))).toContain("after end.json");
});

test("another version, another format and wrong types are named", async () => {
  const manifest = (change: object) =>
    changed("manifest.json", (text) => `${JSON.stringify({ ...JSON.parse(text), ...change })}\n`);
  expect(await problemOf(manifest({ version: 2 }))).toContain("version 2 of the format");
  expect(await problemOf(manifest({ version: "\u001b[2J" }))).toContain("version ?[2J of");
  expect(await problemOf(manifest({ format: "zip" }))).toContain("isn't an export of a Kurz account");
  expect(await problemOf(manifest({ account: null }))).toContain("check account");
  expect(await problemOf(manifest({ later: "ignored" }))).toBe("");
  const link = (change: object) =>
    changed("links/000001.ndjson", (text) => `${JSON.stringify({ ...JSON.parse(text), ...change })}\n`);
  expect(await problemOf(link({ version: "7" }))).toBe(
    "Line 1 of links/000001.ndjson isn't as exports have it: check version.",
  );
  expect(await problemOf(link({ id: "x".repeat(300) }))).toContain("check id");
  expect(await problemOf(changed("links/000001.ndjson", () => "{]\n"))).toContain("isn't JSON");
  expect(await problemOf(changed("links/000001.ndjson", () => "null\n"))).toContain("isn't as exports have it");
  expect(await problemOf(changed("links/000001.ndjson", () => `${"[".repeat(900_000)}\n`))).not.toBe("");
  expect(await problemOf(changed("links/000001.ndjson", (text) => text.trimEnd()))).toContain("last line has no end");
  expect(await problemOf(Buffer.from("hello"))).toContain("gzip");
  expect(await problemOf(gzipSync(Buffer.alloc(1000, "hello ")))).toContain("isn't a tar archive");
});

/** A gzip stream of one repeated megabyte, compressed once. */
async function* bomb(head: Buffer, megabytes: number, filling: string): AsyncGenerator<Uint8Array> {
  yield gzipSync(head);
  const piece = gzipSync(Buffer.alloc(1024 * 1024, filling));
  for (let index = 0; index < megabytes; index += 1) yield piece;
}

const manifestTar = (): Buffer => tarOf(entriesOf(archive).slice(0, 1)).subarray(0, -2 * BLOCK_BYTES);
const headerOf = (name: string, bytes: number): Buffer => tarHeader({ name, bytes, modifiedAtMs: 0 });

const readAll = async (bytes: AsyncIterable<Uint8Array>): Promise<string> => {
  try {
    for await (const _ of readArchive(bytes));
    return "";
  } catch (error) {
    return error instanceof BadArchive ? error.message : String(error);
  }
};

test("a line without end, and an archive that grows without end, are refused within little memory", async () => {
  Bun.gc(true);
  const before = process.memoryUsage().rss;
  const large = Buffer.concat([manifestTar(), headerOf("links/000001.ndjson", 8 * 1024 ** 3 - 512)]);
  expect(await readAll(bomb(large, 8192, "x"))).toContain("larger than any part");
  const size = ARCHIVE_PART_BYTES_MAX;
  const head = Buffer.concat([manifestTar(), headerOf("links/000001.ndjson", size)]);
  expect(await readAll(bomb(head, 64, "x"))).toContain("longer than 1048576 bytes");
  const count = `${JSON.stringify({ link: "lnk_1", at: "2026-01-01T00:00:00.000Z", clicks: 1 })}\n`;
  // A megabyte must end with a line.
  const filling = count.padStart(1024, " ");
  const many = async function* () {
    yield gzipSync(manifestTar());
    for (let part = 1; part <= 20; part += 1) yield* bomb(headerOf(nameOfPart("counts", part), size), 64, filling);
  };
  expect(await readAll(many())).toContain("expands to far more");
  expect(process.memoryUsage().rss - before).toBeLessThan(150e6);
});
