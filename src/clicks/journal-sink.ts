import type { Enricher } from "#clicks/classify/enricher.ts";
import type { JournalWriter } from "#clicks/journal/journal-writer.ts";
import type { Clock } from "#kernel/clock.ts";
import type { ClickSink } from "#redirect/click-sink.ts";

/** Journals clicks before they are answered. Client address and user agent are classified and never stored. */
export const journalSink = (enrich: Enricher, journal: JournalWriter, clock: Clock): ClickSink => ({
  record(request, clientAddress, link, location) {
    const { line, uses } = enrich(request, clientAddress, link, location, clock());
    return journal.append(line, uses);
  },
});
