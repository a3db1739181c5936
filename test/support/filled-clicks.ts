import fc from "fast-check";
import { toClickCounts } from "#clicks/imported/counted-moment.ts";
import type { ClicksEngine } from "#engines/clicks/clicks-engine.ts";
import { openDuckDbClicks } from "#engines/clicks/duckdb/duckdb-clicks.ts";
import { anyClick, FIRST_MS } from "#test/conformance/clicks.arbitraries.ts";
import { anyMoment, anyVisit } from "#test/conformance/clicks.counts.arbitraries.ts";
import { toVisitCount } from "#test/conformance/clicks.lab.ts";
import { partOf, type TestClick } from "#test/conformance/clicks.oracle.ts";

const DAY_MS = 86_400_000;

/** Clicks of the segments that the file knows, in the order of ingestion. */
export const FILLED = { early: 500, late: 60 };

export interface FilledClicks {
  readonly path: string;
  readonly batchDirectory: string;
  /** The same clicks again, and others, for what comes after. */
  readonly clicks: readonly TestClick[];
}

export const openFilled = ({ path, batchDirectory }: Pick<FilledClicks, "path" | "batchDirectory">) =>
  openDuckDbClicks({ path, batchDirectory, installation: "a", summaryClicksMin: 2 });

/**
 * A clicks file with everything that one can have: days as counts, one of them counted twice, imported counts, summaries, texts that
 * are hard to write, tags that changed, erased links and accounts, and positions in the journal.
 */
export async function fillClicks(path: string, batchDirectory: string): Promise<FilledClicks> {
  const clicks = fc.sample(anyClick, { numRuns: 900, seed: 11 });
  const hard: TestClick = {
    ...(clicks[0] as TestClick),
    account_no: 1,
    link_no: 1,
    bot: false,
    utm_term: "\\N",
    utm_content: `"quoted", 'so' \\ 日本語 👩‍👩‍👧`,
    visitor: "ffffffffffffffff",
  };
  const engine = openFilled({ path, batchDirectory });
  await engine.ingest({ parts: [partOf([...clicks.slice(0, FILLED.early), hard], "old-0-1-0", 501)] });
  await engine.setLinkTags([{ accountNo: 1, linkNo: 1, tags: ["old"] }], 3);
  await engine.setLinkTags(
    [
      { accountNo: 1, linkNo: 1, tags: ["sale", "Größe"] },
      { accountNo: 1, linkNo: 2, tags: ["sale"] },
      { accountNo: 1, linkNo: 3, tags: [] },
    ],
    7,
  );
  await importCounts(engine);
  await engine.compact(FIRST_MS + 2 * DAY_MS);
  const late = clicks.slice(FILLED.early, FILLED.early + FILLED.late);
  await engine.ingest({ parts: [partOf(late, "old-0-2-0", 61)] });
  // Late clicks of the same days are counted by themselves.
  await engine.compact(FIRST_MS + 2 * DAY_MS);
  await engine.eraseLinks([{ accountNo: 1, linkNo: 4 }]);
  await engine.eraseAccount(99);
  await engine.summarise(FIRST_MS + 4 * DAY_MS);
  await engine.setLinkTags([], 9);
  await engine.close();
  return { path, batchDirectory, clicks };
}

/** In cuts and without, with visitors and without. */
async function importCounts(engine: ClicksEngine): Promise<void> {
  const moments = fc.sample(anyMoment, { numRuns: 60, seed: 12 });
  const visits = fc.sample(anyVisit, { numRuns: 80, seed: 12 });
  for (const accountNo of [1, 2]) {
    const counts = [
      ...moments.filter((moment) => moment.accountNo === accountNo).flatMap(toClickCounts),
      ...visits.filter(({ account_no }) => account_no === accountNo).map(toVisitCount),
    ];
    for (const no of [1, 2])
      await engine.storeCounts({ accountNo, importId: "from-elsewhere", no, counts, visitors: [] });
  }
}
