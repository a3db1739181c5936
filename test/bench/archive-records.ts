import { readArchive } from "#account-export/read-archive.ts";
import type { ArchiveFile } from "#contract/account-archive.ts";

/** How many records a file of an archive has. */
export async function recordsIn(archive: AsyncIterable<Uint8Array>, wanted: ArchiveFile): Promise<number> {
  let count = 0;
  for await (const { file, records } of readArchive(archive)) if (file === wanted) count += records.length;
  return count;
}
