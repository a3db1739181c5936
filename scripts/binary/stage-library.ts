import { createHash } from "node:crypto";
import { mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { COMPRESSED_ENDING, type LibraryManifest, MANIFEST_FILE } from "../../src/engines/unpack-library.ts";

const FILES = ["duckdb.node", "libduckdb.so"];
// 20 MB of 71 in four seconds; the highest level needs over a minute for two megabytes less.
const LEVEL = 9;

/** Puts the compressed library of the clicks database where a build takes it from, see `unpackLibrary`. */
export async function stageLibrary(bindings: string, directory: string): Promise<void> {
  mkdirSync(directory, { recursive: true });
  const files: LibraryManifest["files"][number][] = [];
  for (const name of FILES) {
    const content = readFileSync(join(bindings, name));
    writeFileSync(join(directory, `${name}${COMPRESSED_ENDING}`), await Bun.zstdCompress(content, { level: LEVEL }));
    files.push({ name, bytes: content.length, sha256: createHash("sha256").update(content).digest("hex") });
  }
  const id = createHash("sha256").update(JSON.stringify(files)).digest("hex").slice(0, 16);
  writeFileSync(join(directory, MANIFEST_FILE), JSON.stringify({ id, files } satisfies LibraryManifest));
}
