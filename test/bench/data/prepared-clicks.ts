import { join } from "node:path";
import { DAY_MS } from "#engines/clicks/slots.ts";
import { findOrMake } from "./cache.ts";

/** To be raised when clicks are generated or stored differently, so that nobody measures old ones. */
const DATA_VERSION = "3";

export const ACCOUNT_NO = 1;
/** The second most popular link, with a twentieth of all clicks. */
export const LINK_NO = 2;
export const CLICKED_LINKS = 10_000;
const CLICKED_DAYS = 30;
/** Clicks end here, in the middle of a day that has no summary yet. */
export const END_MS = Date.UTC(2026, 4, 17, 12, 34);
export const START_MS = END_MS - CLICKED_DAYS * DAY_MS;

/** That many clicks over thirty days in one account, all within the default report. */
export interface PreparedClicks {
  readonly clicks: number;
  /** As ingestion leaves them, with summaries of all past days. */
  readonly raw: string;
  readonly summarised: string;
  /** As a plain DuckDB table with all texts. */
  readonly plain: string;
  /** What a report reads of them, as rows in a plain SQLite table. */
  readonly rows: string;
}

export async function prepareClicks(clicks: number, say: (text: string) => void): Promise<PreparedClicks> {
  const kind = `clicks-${clicks}`;
  const stored = await findOrMake({
    kind,
    version: DATA_VERSION,
    script: "fill-clicks.ts",
    args: [String(clicks)],
    say,
  });
  return {
    clicks,
    raw: join(stored, "raw.duckdb"),
    summarised: join(stored, "summarised.duckdb"),
    plain: join(stored, "plain.duckdb"),
    rows: join(stored, "rows.db"),
  };
}
