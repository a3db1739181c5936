import type { Enricher } from "#clicks/classify/enricher.ts";
import type { JournalWriter } from "#clicks/journal/journal-writer.ts";
import type { Clock } from "#kernel/clock.ts";
import type { ClickSink } from "#redirect/click-sink.ts";

/** Writes clicks down before they are answered. Address and user agent are used up on the way and never stored. */
export const journalSink = (enrich: Enricher, journal: JournalWriter, clock: Clock): ClickSink => ({
  record: (request, clientAddress, link, location) =>
    journal.append(enrich(request, clientAddress, link, location, clock())),
});
