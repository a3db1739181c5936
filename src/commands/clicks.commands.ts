import { integer } from "#config/value-kinds.ts";
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
const POLL_MS = 20;

const clicksGenerate = command({
  name: "clicks generate",
  summary: "Generate sample links and clicks, for trying things out and for load tests",
  notes:
    "A few links get most of the clicks. People click more by day than at night, from many countries and browsers, and " +
    "some return; bots are added on top. The same seed gives the same links and clicks, except for the slugs and the " +
    "time of the last click, which is now. Sample clicks count like real ones and trigger the account's webhooks; delete " +
    "the links to remove them. An existing account keeps its creation date, where its all-time reports start.",
  options: {
    links: required("N", integer(1, LINKS_MAX), "How many links to create."),
    clicks: required("M", integer(0, CLICKS_MAX), "How many clicks to generate in total, not counting bots."),
    account: optional("ID", idText, "The account to use. Default: a new one."),
    days: withDefault("365", required("D", integer(1, DAYS_MAX), "Spread the clicks over this many days, up to now.")),
    seed: withDefault("1", required("S", integer(0, SEED_MAX), "A different number gives different links and clicks.")),
  },
  run: async ({ services: open, isServer, signal, progress }, { links, clicks, account, days, seed }) => {
    const startedMs = performance.now();
    const [{ ingestJournal }, { generateClicks }, { createSampleAccount, getSampleAccount }, { LEAD_MS }] =
      await Promise.all([
        import("#runtime/ingest-journal.ts"),
        import("#sample-data/generate-clicks.ts"),
        import("#sample-data/sample-account.ts"),
        import("#sample-data/sample-links.ts"),
      ]);
    const services = await open();
    const { clock, config, paths } = services;
    const toMs = clock();
    const fromMs = toMs - days * DAY_MS;
    const caller =
      account === null
        ? await createSampleAccount(services, fromMs - LEAD_MS, links)
        : await getSampleAccount(services, account, links);
    const ingestion = isServer ? null : ingestJournal(services);
    try {
      const generated = await generateClicks(
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
      return { account: caller.accountId, links, clicks: generated.clicks, bot_hits: generated.botHits, seconds };
    } finally {
      await ingestion?.stop();
    }
  },
  print: ({ account, links, clicks, bot_hits, seconds }) =>
    `Added ${links} links, ${clicks} clicks and ${bot_hits} bot hits to the account ${account} (${seconds} s).`,
});

const clicksIngest = command({
  name: "clicks ingest",
  summary: "Store the clicks that a stopped server left in its journal",
  notes:
    "A server does this when it starts. This command is for a node that isn't started again: run it with the node's data " +
    "directory, on any machine that reaches the same engines, before the directory is deleted. It can be repeated; no " +
    "click is counted twice.",
  run: async ({ services: open, isServer, progress }) => {
    if (isServer) return { is_server: true, clicks: 0 };
    const { ingestJournal } = await import("#runtime/ingest-journal.ts");
    const ingestion = ingestJournal(await open());
    const print = throttle(progress, PROGRESS_MS);
    try {
      for (;;) {
        const { bytes, segments } = await ingestion.measureRest();
        ingestion.failed.throwIfAborted();
        if (segments === 0) break;
        print(`${bytes} bytes left in ${segments} files`);
        await Bun.sleep(POLL_MS);
      }
    } finally {
      await ingestion.stop();
    }
    ingestion.failed.throwIfAborted();
    return { is_server: false, clicks: Math.max(...ingestion.stats().consumers.map(({ clicks }) => clicks)) };
  },
  print: ({ is_server, clicks }) =>
    is_server
      ? "The server is running: it stores clicks by itself."
      : `Stored ${clicks} clicks. Nothing is left in the journal.`,
});

export const clickCommands = [clicksGenerate, clicksIngest];
