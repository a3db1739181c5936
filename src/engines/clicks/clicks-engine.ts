import type { AccountDimension } from "#contract/analytics.ts";
import type { ClickText } from "./click-fields.ts";

/** The engine for clicks: appends them exactly once and adds them up. */
export interface ClicksEngine {
  /** Batches of up to so many clicks cost least. */
  readonly batchClicksMax: number;
  /** Stores a batch together with its checkpoints, or skips it where they are passed already. */
  ingest(batch: ClickBatch): Promise<Ingested>;
  /** Up to where a segment is stored; 0 for one that was never seen. */
  checkpoint(segment: string): Promise<number>;
  /** Of all segments but these: the others are deleted, and their names never come back. */
  forgetCheckpointsBut(segments: readonly string[]): Promise<void>;
  /** Erases the clicks of links for good, and those that are still to come from an old segment. */
  eraseLinks(links: readonly LinkNumber[]): Promise<void>;
  eraseAccount(accountNo: number): Promise<void>;
  /** Replaces the tags of each link named. Positions only grow, so that the caller can go on after a crash. */
  setLinkTags(changes: readonly LinkTags[], position: number): Promise<void>;
  /** Replaces the tags of all links, or changes nothing; the position may be any. */
  replaceLinkTags(batches: AsyncIterable<readonly LinkTags[]>, position: number): Promise<void>;
  /** Up to where the tags are stored; -1 before the first. */
  linkTagsPosition(): Promise<number>;
  /** All parts of one answer are computed from one snapshot. Throws `ClicksUnavailable` when it takes too long. */
  report(request: ReportRequest): Promise<Report>;
  /** From the first to after the last click that lies outside a range; `null` where none does. */
  findOutside(scope: ClickScope, range: TimeRange): Promise<TimeRange | null>;
  /** Prepares the UTC days that ended before this instant, so that long reports are quick. Answers stay the same. */
  summarise(beforeMs: number): Promise<void>;
  /** Turns the UTC days that ended before this instant into counts without visitors. */
  compact(beforeMs: number): Promise<void>;
  /** Frees the disk of what was erased since the last time: until then its bytes may still be there, in no report. */
  reclaim(): Promise<void>;
  stats(): Promise<ClicksStats>;
  /**
   * Has `copy` take the file, from which an engine can be opened, while this one only reads. It must not open the file
   * in this process, see `copyFileAside`.
   */
  exportWith(copy: (file: string) => Promise<void>): Promise<void>;
  close(): Promise<void>;
}

export interface ClickBatch {
  /** A file of verified journal lines. */
  readonly file: string;
  /** The new end of every segment that has lines in the file. */
  readonly checkpoints: readonly SegmentPosition[];
}

export interface SegmentPosition {
  readonly segment: string;
  readonly offset: number;
}

export interface Ingested {
  /** Clicks stored: the lines of the file without those of erased links, or 0 for a batch that was there already. */
  readonly clicks: number;
}

export interface LinkNumber {
  readonly accountNo: number;
  readonly linkNo: number;
}

export interface LinkTags extends LinkNumber {
  readonly tags: readonly string[];
}

export interface TimeRange {
  readonly fromMs: number;
  /** Exclusive. */
  readonly toMs: number;
}

/** Any of the values within a name, all of the names; `null` selects clicks without a value. */
export type ReportFilters = { readonly [D in ClickText | "tag"]?: readonly (string | null)[] } & {
  readonly link?: readonly number[];
};

export interface ClickScope {
  readonly accountNo: number;
  /** `null`: the whole account. */
  readonly linkNo: number | null;
}

export interface ReportRequest extends TimeRange, ClickScope {
  /** Ascending; the first at or before `fromMs`. Each bucket ends where the next one starts. */
  readonly bucketStartsMs: readonly number[];
  readonly filters: ReportFilters;
  readonly includeBots: boolean;
  readonly groupBy: readonly AccountDimension[];
  /** Items in each breakdown. */
  readonly limit: number;
  /** Whether the visitors of each item are counted, which takes longer than all the rest. */
  readonly breakdownVisitors: boolean;
  /** Another range of which only the totals are wanted. */
  readonly previous: TimeRange | null;
}

export interface Totals {
  readonly clicks: number;
  /** Distinct visitors of each UTC day added up, or `null` where that is no longer known or not wanted. */
  readonly uniqueVisitors: number | null;
  readonly qrScans: number;
  readonly botHits: number;
}

export type Bucket = Pick<Totals, "clicks" | "uniqueVisitors">;

export interface BreakdownItem<K = string | number | null> extends Bucket {
  /** A text, a link number, or `null` for clicks without a value. */
  readonly key: K;
}

export interface Breakdown {
  /** Most clicks first, then by key. */
  readonly items: readonly BreakdownItem[];
  readonly otherClicks: number;
}

export interface Report {
  readonly totals: Totals;
  /** One for each start asked for. */
  readonly series: readonly Bucket[];
  readonly breakdowns: ReadonlyMap<AccountDimension, Breakdown>;
  readonly previous: Totals | null;
}

export interface ClicksStats {
  /** Clicks kept one by one. */
  readonly rows: number;
  /** Clicks kept as counts. */
  readonly compactedClicks: number;
  readonly bytes: number;
  /** What a crash would have to replay; it must not grow for long. */
  readonly walBytes: number;
}

/** The engine cannot serve right now (disk full, too slow, too busy); what was asked for has not happened. */
export class ClicksUnavailable extends Error {}

/** The clicks are those of other records: shown by their numbers, they would go to the wrong accounts and links. */
export class ForeignClicks extends ClicksUnavailable {
  constructor(message: string) {
    super(message);
    // An operator's mistake; the message says all.
    this.stack = message;
  }
}
