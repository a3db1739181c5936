import { counterConsumer } from "#clicks/ingestion/counter-consumer.ts";
import { engineConsumer } from "#clicks/ingestion/engine-consumer.ts";
import { startIngestion } from "#clicks/ingestion/ingestion.ts";
import { integer } from "#config/value-kinds.ts";
import { errorText } from "#kernel/error-text.ts";
import type { Services } from "#runtime/services.ts";
import { generateClicks } from "#sample-data/generate-clicks.ts";
import { findReceiver, makeReceiver } from "#sample-data/sample-account.ts";
import { LEAD_MS } from "#sample-data/sample-links.ts";
import { command } from "./command.ts";
import { optional, required, withDefault } from "./option.ts";
import { idText } from "./option-values.ts";
import { throttle } from "./throttle.ts";

const DAY_MS = 86_400_000;
const LINKS_MAX = 1_000_000;
const CLICKS_MAX = 1_000_000_000;
const DAYS_MAX = 3650;
const SEED_MAX = 2 ** 32 - 1;
const PROGRESS_MS = 100;
const POLL_MS = 50;

const clicksGenerate = command({
  name: "clicks generate",
  summary: "Make up links and clicks on them, to try things out and to measure",
  notes:
    "A few links get most of the clicks; people click by day more than at night, from many countries and with many " +
    "browsers, and some come back; bots come on top. The same seed makes the same links and clicks, but for the slugs " +
    "and the time of the last click, which is now. They count like real ones, and webhooks of the account tell of them: " +
    "delete the links to be rid of them. An account that is there already keeps the day it was made on, where its reports " +
    "of all time begin.",
  options: {
    links: required("N", integer(1, LINKS_MAX), "How many new links."),
    clicks: required("M", integer(0, CLICKS_MAX), "How many clicks on them altogether, not counting bots."),
    account: optional("ID", idText, "The account that gets them; without it, a new one."),
    days: withDefault("365", required("D", integer(1, DAYS_MAX), "Over how many days, up to now.")),
    seed: withDefault("1", required("S", integer(0, SEED_MAX), "Another number makes other clicks.")),
  },
  run: async ({ services: open, isServer, signal, progress }, { links, clicks, account, days, seed }) => {
    const startedMs = performance.now();
    const services = open();
    const { clock, config, paths } = services;
    const toMs = clock();
    const fromMs = toMs - days * DAY_MS;
    const caller =
      account === null
        ? await makeReceiver(services, fromMs - LEAD_MS, links)
        : await findReceiver(services, account, links);
    const ingestion = isServer ? null : ingestHere(services);
    try {
      const made = await generateClicks(
        { ...services, journal: paths.journal, journalBytesMax: config.journalBytesMax },
        {
          caller,
          links,
          clicks,
          fromMs,
          toMs,
          seed,
          signal: ingestion ? AbortSignal.any([signal, ingestion.failed]) : signal,
          progress: throttle(progress, PROGRESS_MS),
        },
      );
      const seconds = Math.round(performance.now() - startedMs) / 1000;
      return { account: caller.accountId, links, clicks: made.clicks, bot_hits: made.botHits, seconds };
    } finally {
      await ingestion?.stop();
    }
  },
  print: ({ account, links, clicks, bot_hits, seconds }) =>
    `The account ${account} has ${links} links more, with ${clicks} clicks and ${bot_hits} bot hits (${seconds} s).`,
});

/** Without a server nobody else carries clicks from the journal; what a server left there goes along. */
function ingestHere({ records, clicks, webhooks, paths }: Services) {
  const failure = new AbortController();
  const { stop } = startIngestion({
    directory: paths.journal,
    liveFromEpoch: Number.MAX_SAFE_INTEGER,
    consumers: [engineConsumer(clicks, paths.clickBatches), counterConsumer(records, webhooks.clicks)],
    onProblem: (message, error) => failure.abort(new Error(`${message}: ${errorText(error)}`)),
    intervalMs: POLL_MS,
  });
  return { failed: failure.signal, stop };
}

export const clickCommands = [clicksGenerate];
