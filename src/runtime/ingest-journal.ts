import { ownClicksGuard } from "#clicks/ingestion/clicks-file-check.ts";
import { counterConsumer } from "#clicks/ingestion/counter-consumer.ts";
import { engineConsumer } from "#clicks/ingestion/engine-consumer.ts";
import { startIngestion } from "#clicks/ingestion/ingestion.ts";
import { enginePlaces } from "#config/engine-places.ts";
import { isShared } from "#engines/places.ts";
import { errorText } from "#kernel/error-text.ts";
import { segmentPrefixOf } from "./node-name.ts";
import type { Services } from "./services.ts";

const POLL_MS = 20;

/** Ingests the journal in this process, for when no server does, including what a server left there. */
export function ingestJournal({ config, records, clicks, webhooks, paths }: Services) {
  const counting = { companion: webhooks.clicks, segmentPrefix: segmentPrefixOf(config) };
  const failure = new AbortController();
  const ingestion = startIngestion({
    directory: paths.journal,
    liveFromEpoch: Number.MAX_SAFE_INTEGER,
    before: ownClicksGuard(clicks, { isOnServer: isShared(enginePlaces(config).clicks) }),
    consumers: [engineConsumer(clicks), counterConsumer(records, counting)],
    onProblem: (message, error) => failure.abort(new Error(`${message}: ${errorText(error)}`)),
    intervalMs: POLL_MS,
  });
  return { ...ingestion, failed: failure.signal };
}
