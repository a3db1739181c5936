import type { ClassifiedVisit, Enricher } from "#clicks/classify/enricher.ts";
import type { JournalWriter } from "#clicks/journal/journal-writer.ts";
import type { Clock } from "#kernel/clock.ts";
import type { ClickSink } from "#redirect/click-sink.ts";

/** Journals clicks before they are answered. Client address and user agent are classified and never stored. */
export const journalSink = (
  enricher: Enricher,
  journal: Pick<JournalWriter, "append">,
  clock: Clock,
): ClickSink<ClassifiedVisit> => ({
  classify: (request, clientAddress, accountNo) => enricher.classify(request, clientAddress, accountNo, clock()),
  isBot: ({ isBot }) => isBot,
  record(visit, link, target) {
    const { line, uses } = enricher.clickOf(visit, link, target);
    return journal.append(line, uses);
  },
});
