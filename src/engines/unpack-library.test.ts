import { afterEach, beforeEach, expect, test } from "bun:test";
import { createHash } from "node:crypto";
import {
  chmodSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  truncateSync,
  utimesSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { type LibraryManifest, MANIFEST_FILE, unpackLibrary } from "./unpack-library.ts";

const LIBRARY = "library ".repeat(100_000);
const BINDING = "binding";
let directory: string;
let source: string;
let into: string;

beforeEach(() => {
  directory = mkdtempSync(join(tmpdir(), "kurz-library-"));
  into = join(directory, "data", ".library");
  source = newSource("0123", { "lib.so": LIBRARY, "binding.node": BINDING });
});
afterEach(() => rmSync(directory, { recursive: true }));

function newSource(id: string, contents: Readonly<Record<string, string>>): string {
  const place = mkdtempSync(join(directory, "source-"));
  const files = Object.entries(contents).map(([name, content]) => {
    writeFileSync(join(place, `${name}.zst`), Bun.zstdCompressSync(content));
    return { name, bytes: content.length, sha256: createHash("sha256").update(content).digest("hex") };
  });
  writeFileSync(join(place, MANIFEST_FILE), JSON.stringify({ id, files } satisfies LibraryManifest));
  return place;
}

const unpacked = (name = "lib.so"): string => join(into, "0123", name);
const readUnpacked = (): string[] => [readFileSync(unpacked(), "utf8"), readFileSync(unpacked("binding.node"), "utf8")];

test("it is unpacked once, for its user alone", async () => {
  expect(await unpackLibrary(source, into)).toBe(join(into, "0123"));
  expect(readUnpacked()).toEqual([LIBRARY, BINDING]);
  for (const path of [into, join(into, "0123"), unpacked()]) expect(statSync(path).mode & 0o777).toBe(0o700);
  const { ino, mtimeMs } = statSync(unpacked());
  await unpackLibrary(source, into);
  expect(statSync(unpacked())).toMatchObject({ ino, mtimeMs });
  expect(readdirSync(into)).toEqual(["0123"]);
});

test.each([
  ["cut off", () => truncateSync(unpacked(), 10)],
  ["missing", () => rmSync(unpacked())],
  ["writable by others", () => chmodSync(unpacked(), 0o777)],
])("a file that is %s is replaced", async (_, damage) => {
  await unpackLibrary(source, into);
  damage();
  await unpackLibrary(source, into);
  expect(readUnpacked()).toEqual([LIBRARY, BINDING]);
  expect(statSync(unpacked()).mode & 0o777).toBe(0o700);
});

test("several at once, also over a damaged one, end with one whole library each can use", async () => {
  await unpackLibrary(source, into);
  truncateSync(unpacked(), 10);
  const found = await Promise.all(Array.from({ length: 8 }, () => unpackLibrary(source, into)));
  expect(new Set(found)).toEqual(new Set([join(into, "0123")]));
  expect(readUnpacked()).toEqual([LIBRARY, BINDING]);
  expect(readdirSync(into)).toEqual(["0123"]);
});

test("that of another release goes, and so does what a killed process left, but not what another one is writing", async () => {
  await unpackLibrary(source, into);
  for (const name of ["draft-old", "draft-new"]) mkdirSync(join(into, name));
  utimesSync(join(into, "draft-old"), 0, 0);
  await unpackLibrary(newSource("4567", { "lib.so": "newer" }), into);
  expect(readdirSync(into).sort()).toEqual(["4567", "draft-new"]);
});

test("a damaged program is refused, and leaves nothing behind", async () => {
  writeFileSync(join(source, "lib.so.zst"), Bun.zstdCompressSync(LIBRARY.replace("b", "d")));
  await expect(unpackLibrary(source, into)).rejects.toThrow(
    "lib.so inside this program is damaged; download the program again",
  );
  expect(readdirSync(into)).toEqual([]);
});

test("a directory that others may write is refused", async () => {
  mkdirSync(into, { recursive: true });
  chmodSync(into, 0o777);
  await expect(unpackLibrary(source, into)).rejects.toThrow("no other user may write to it");
  expect(existsSync(unpacked())).toBe(false);
});

test("a file in the way is named by the system's error", async () => {
  mkdirSync(join(into, ".."), { recursive: true });
  writeFileSync(into, "");
  await expect(unpackLibrary(source, into)).rejects.toMatchObject({
    code: expect.stringMatching(/^E(?:EXIST|NOTDIR)$/),
  });
});
