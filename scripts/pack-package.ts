import { readdirSync, readFileSync, statSync } from "node:fs";
import { join, relative, sep } from "node:path";
import { gzipSync } from "node:zlib";
import { BLOCK_BYTES, paddingOf, tarHeader } from "../src/account-export/tar-header.ts";

/** Where npm looks for the files of a package. */
const ROOT = "package";
const MODE_FILE = 0o644;
const MODE_PROGRAM = 0o755;
// Always the same, so that the same source makes the same bytes.
const MODIFIED_AT_MS = Date.UTC(2000, 0, 1);

interface PackOptions {
  /** Files and folders, each with its place in the package. */
  readonly content: Readonly<Record<string, string>>;
  /** Those of them that people run, by their place. */
  readonly programs?: readonly string[];
}

/** The package as `npm pack` would make it, but with the same bytes every time, and without npm. */
export function packPackage({ content, programs = [] }: PackOptions): Uint8Array {
  const files = Object.entries(content)
    .flatMap(([place, path]) => filesOf(path).map((file) => ({ file, place: placeOf(place, path, file) })))
    .toSorted((a, b) => (a.place < b.place ? -1 : 1));
  const parts = files.flatMap(({ file, place }) => {
    const bytes = readFileSync(file);
    const header = tarHeader({
      name: `${ROOT}/${place}`,
      bytes: bytes.byteLength,
      modifiedAtMs: MODIFIED_AT_MS,
      mode: programs.includes(place) ? MODE_PROGRAM : MODE_FILE,
    });
    return [header, bytes, Buffer.alloc(paddingOf(bytes.byteLength))];
  });
  return gzipSync(Buffer.concat([...parts, Buffer.alloc(2 * BLOCK_BYTES)]), { level: 9 });
}

const filesOf = (path: string): string[] =>
  statSync(path).isDirectory() ? readdirSync(path).flatMap((name) => filesOf(join(path, name))) : [path];

const placeOf = (place: string, path: string, file: string): string =>
  [place, ...relative(path, file).split(sep)].filter((part) => part !== "").join("/");
