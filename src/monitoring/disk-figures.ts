import { stat, statfs } from "node:fs/promises";
import { realFiles } from "#clicks/journal/journal-files.ts";
import { listQuarantine } from "#clicks/journal/segments.ts";
import type { DataPaths } from "#config/data-paths.ts";
import type { Config } from "#config/settings.ts";
import { recordsFile } from "#engines/records/records-file.ts";
import { type Figures, series, seriesBy } from "#metrics/figures.ts";

/** Sizes on the disk, read on request, so that they are known even while control is down. */
export async function diskFigures({ journalBytesMax }: Config, paths: DataPaths): Promise<Figures> {
  const [journalBytes, quarantine, records, recordsWal, clicks, clicksWal, disk] = await Promise.all([
    realFiles.measure(paths.journal),
    listQuarantine(paths.journal),
    sizeOf(paths.records),
    sizeOf(recordsFile({ path: paths.records }).logPath),
    sizeOf(paths.clicks),
    sizeOf(`${paths.clicks}.wal`),
    statfs(paths.dataDir),
  ]);
  return {
    [series("kurz_journal_bytes")]: journalBytes,
    [series("kurz_journal_bytes_max")]: journalBytesMax,
    [series("kurz_journal_quarantined_segments")]: quarantine.length,
    ...seriesBy("kurz_data_bytes", "file", {
      records,
      records_wal: recordsWal,
      clicks,
      clicks_wal: clicksWal,
    }),
    [series("kurz_disk_free_bytes")]: disk.bavail * disk.bsize,
  };
}

const sizeOf = async (path: string): Promise<number> =>
  stat(path).then(
    ({ size }) => size,
    () => 0,
  );
