import { createEnricher } from "#clicks/classify/enricher.ts";
import { followGeoFile } from "#clicks/classify/geo-file.ts";
import { openJournalWriter } from "#clicks/journal/journal-writer.ts";
import type { LossTally } from "#clicks/journal/loss-tally.ts";
import { journalSink } from "#clicks/journal-sink.ts";
import { followSalts } from "#clicks/visitor/follow-salts.ts";
import { SaltReader } from "#clicks/visitor/salt-reader.ts";
import { dataPaths } from "#config/data-paths.ts";
import type { Config } from "#config/settings.ts";
import { systemClock } from "#kernel/clock.ts";
import { errorText } from "#kernel/error-text.ts";
import type { ClickFigures } from "#monitoring/redirect-figures.ts";
import type { ClickSink } from "#redirect/click-sink.ts";
import { lossLog, stallLog } from "#runtime/journal-log.ts";
import { logEvent } from "#runtime/log.ts";
import { readNodeName } from "#runtime/node-name.ts";

/** Which redirect process this is, and the epoch that no other process ever has. */
export interface ClickWriter {
  readonly writer: number;
  readonly epoch: number;
  /** Where it notes what it loses, in memory that outlives it. */
  readonly tally?: LossTally;
}

// A disk that does not answer must not keep links down; visitors are told apart as soon as it does.
const SALTS_MS_MAX = 500;

export interface ClickJournal {
  readonly sink: ClickSink;
  figures(): ClickFigures;
  close(): Promise<void>;
}

/** The journal of a redirect process, with everything that a click is enriched from. */
export async function openClickJournal(config: Config, { writer, epoch, tally }: ClickWriter): Promise<ClickJournal> {
  const geo = await followGeoFile({
    path: config.geoMmdb,
    onProblem: (problem) => logEvent("error", "the geo database cannot be used", { error: problem }),
    onReload: () => logEvent("info", "the geo database was read again", { path: config.geoMmdb }),
  });
  const paths = dataPaths(config.dataDir);
  const salts = new SaltReader(paths.salts);
  await Promise.race([salts.check(systemClock()), Bun.sleep(SALTS_MS_MAX)]);
  const losses = lossLog();
  const enricher = createEnricher({
    salts,
    geo,
    countryHeader: config.geoCountryHeader,
    ownHosts: [config.shortDomain, new URL(config.baseUrl).host],
  });
  const journal = openJournalWriter({
    directory: paths.journal,
    node: readNodeName(config),
    writer,
    epoch,
    durability: config.clickDurability,
    bytesMax: config.journalBytesMax,
    ...(tally === undefined ? {} : { tally }),
    onLoss: losses.add,
    ...stallLog(),
    onSyncFailure: (error) => logEvent("error", "the journal could not be flushed", { error: errorText(error) }),
  });
  const following = followSalts(salts, systemClock);
  return {
    sink: journalSink(enricher, journal, systemClock),
    figures: () => ({ journal: journal.stats(), isGeoFileUnusable: geo.isUnusable() }),
    async close() {
      // Not awaited: a disk may not answer.
      void following.stop();
      geo.close();
      await journal.close();
      losses.flush();
    },
  };
}
