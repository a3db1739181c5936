import type { AccountDimension } from "#contract/analytics.ts";
import type { CountBatch, CountChunk, ExportRequest } from "./click-counts.ts";
import type { Click, ClickText, TextsOf } from "./click-format.ts";

/** The engine for clicks: stores each exactly once and aggregates them. */
export interface ClicksEngine {
  /** The most efficient batch size. */
  readonly batchClicksMax: number;
  /** Whether its server answered the last time; missing if there is no server. */
  readonly isUp?: () => boolean;
  /**
   * Stores a batch together with its checkpoints, or skips it if it is already stored. Throws `BadClicks`, and stores
   * nothing, unless every line becomes a click or belongs to something erased.
   */
  ingest(batch: ClickBatch): Promise<Ingested>;
  /** How far a segment is stored; 0 for an unknown one. */
  checkpoint(segment: string): Promise<number>;
  /** Forgets all segments but these: the others are deleted, and their names are never reused. */
  forgetCheckpointsBut(segments: readonly string[]): Promise<void>;
  /**
   * Stores clicks that another service has counted, or skips the batch if it, or a later one of its import, is stored.
   * Leaves out what belongs to something erased. Throws `BadCounts`, and stores nothing, unless all can be stored.
   */
  storeCounts(batch: CountBatch): Promise<Ingested>;
  /** The number of the last stored batch of an import; 0 before the first. */
  lastCountBatch(accountNo: number, importId: string): Promise<number>;
  /** All clicks of an account as counts, day by day: stored elsewhere, they give the same reports. */
  exportCounts(request: ExportRequest): AsyncGenerator<CountChunk>;
  /** Permanently erases the clicks of links, including those still to be ingested from old segments. */
  eraseLinks(links: readonly LinkNumber[]): Promise<void>;
  eraseAccount(accountNo: number): Promise<void>;
  /** Replaces the tags of the given links. The position only increases, so the caller can resume after a crash. */
  setLinkTags(changes: readonly LinkTags[], position: number): Promise<void>;
  /** Replaces the tags of all links, atomically; the position may also decrease. */
  replaceLinkTags(batches: AsyncIterable<readonly LinkTags[]>, position: number): Promise<void>;
  /** The position of the stored tags; -1 before the first. */
  linkTagsPosition(): Promise<number>;
  /** Computes the whole report from one snapshot. Throws `ClicksUnavailable` if it takes too long. */
  report(request: ReportRequest): Promise<Report>;
  /** All items of one breakdown, most clicks first, some at a time, as slowly as the reader wants. */
  breakdown(request: BreakdownRequest): AsyncGenerator<readonly BreakdownItem[]>;
  /** Single clicks, newest first; those that were reduced to counts aren't among them. */
  listClicks(request: ClickListRequest): Promise<readonly ListedClick[]>;
  /** Clicks by people, by link and UTC day; without those that have none. */
  dailyClicks(request: DailyRequest): Promise<readonly DailyClicks[]>;
  /** The range from the first to just after the last click outside a given range; `null` if there are none. */
  findOutside(scope: ClickScope, range: TimeRange): Promise<TimeRange | null>;
  /** Precomputes UTC days that ended before this time, so long reports are fast. Doesn't change any results. */
  summarise(beforeMs: number): Promise<void>;
  /**
   * Reduces UTC days that ended before this time to counts without visitors. On a server, stops before its next step once
   * `mayGoOn` says no, such as when another node takes over; a later call continues.
   */
  compact(beforeMs: number, mayGoOn?: () => boolean): Promise<void>;
  /** Removes erased clicks from the disk: until then their bytes may remain in the file, though in no report. */
  reclaim(): Promise<void>;
  stats(): Promise<ClicksStats>;
  /**
   * Resolves once clicks of an earlier release are migrated. Until then `checkpoint`, `report`, `findOutside` and `stats`
   * throw `ClicksMigrating`; everything else waits.
   */
  whenMigrated(): Promise<void>;
  /** Ends a migration, which the next start continues, and begins none; call it before stopping whatever waits for one. */
  suspendMigration(): void;
  /**
   * Runs `copy` while nothing writes to the file, so an engine can be opened from the copy. It must not open the file
   * in this process; see `copyFileAside`.
   */
  exportWith(copy: (file: string) => Promise<void>): Promise<void>;
  close(): Promise<void>;
}

export interface ClickBatch {
  /** The parts of a segment follow each other. */
  readonly parts: readonly ClickPart[];
}

/** Clicks from one segment of the journal. */
export interface ClickPart {
  readonly segment: string;
  /** How far the segment is stored with this part. */
  readonly toOffset: number;
  /** Verified lines; see `click-format.ts`. Their text numbers mean the same in all parts of the segment. */
  readonly lines: Uint8Array;
  readonly count: number;
  readonly textsOf: TextsOf;
}

export interface SegmentPosition {
  readonly segment: string;
  readonly offset: number;
}

/** How far each segment is stored once the batch is. */
export function checkpointsOf({ parts }: ClickBatch): SegmentPosition[] {
  const ends = new Map(parts.map(({ segment, toOffset }) => [segment, toOffset]));
  return [...ends].map(([segment, offset]) => ({ segment, offset }));
}

export interface Ingested {
  /** Clicks stored: the batch's lines except those of erased links, or 0 if the batch was already stored. */
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

/** Matches any value of a name, and all names; `null` matches clicks without a value. */
export type ReportFilters = { readonly [D in ClickText | "source" | "tag"]?: readonly (string | null)[] } & {
  readonly link?: readonly number[];
  /** Whether a link must have all of the tags; any of them otherwise. Not a filter by itself. */
  readonly allTags?: true;
};

export interface ClickScope {
  readonly accountNo: number;
  /** `null`: the whole account. */
  readonly linkNo: number | null;
}

export interface DailyRequest {
  readonly accountNo: number;
  readonly linkNumbers: readonly number[];
  /** Days since 1970; `toDay` is exclusive. */
  readonly fromDay: number;
  readonly toDay: number;
}

export interface DailyClicks {
  readonly linkNo: number;
  readonly day: number;
  readonly clicks: number;
}

export interface ReportRequest extends TimeRange, ClickScope {
  /** Ascending, the first at or before `fromMs`. Each bucket ends where the next one starts. */
  readonly bucketStartsMs: readonly number[];
  readonly filters: ReportFilters;
  readonly includeBots: boolean;
  readonly groupBy: readonly AccountDimension[];
  /** Maximum number of items per breakdown. */
  readonly limit: number;
  /** Whether to count the visitors of each item, which takes longer than everything else. */
  readonly breakdownVisitors: boolean;
  /** Another range, for totals only. */
  readonly previous: TimeRange | null;
  /** Asks for the hours of the week, by the offsets of a time zone: ascending, the first at or before `fromMs`. */
  readonly weekOffsets?: readonly UtcOffset[];
}

/** One breakdown without a limit. */
export type BreakdownRequest = Omit<
  ReportRequest,
  "bucketStartsMs" | "groupBy" | "limit" | "previous" | "weekOffsets"
> & {
  readonly groupBy: AccountDimension;
};

export interface ClickListRequest extends TimeRange, ClickScope {
  readonly filters: ReportFilters;
  readonly includeBots: boolean;
  readonly limit: number;
  /** Where the list continues; `null` for its start. */
  readonly after: ClickPlace | null;
}

/** Behind some clicks of a list. */
export interface ClickPlace {
  readonly atMs: number;
  /** Orders clicks of one moment. */
  readonly tie: number;
  /** How many of the clicks with this time and tie come before. */
  readonly skip: number;
}

export type ListedClick = Omit<Click, "visitor" | "account_no"> & Pick<ClickPlace, "tie">;

/** What is added to UTC to get the local time, from a moment on. */
export interface UtcOffset {
  readonly fromMs: number;
  readonly offsetMs: number;
}

export interface Totals {
  readonly clicks: number;
  /** Sum of each UTC day's distinct visitors, or `null` if no longer known or not requested. */
  readonly uniqueVisitors: number | null;
  readonly qrScans: number;
  readonly botHits: number;
}

export interface BreakdownItem<K = string | number | null> extends Pick<Totals, "clicks" | "uniqueVisitors"> {
  /** A string, a link number, or `null` for clicks without a value. */
  readonly key: K;
}

export interface Breakdown {
  /** Most clicks first, then by key. */
  readonly items: readonly BreakdownItem[];
  readonly otherClicks: number;
}

export interface Report {
  readonly totals: Totals;
  /** One for each requested bucket. */
  readonly series: readonly Totals[];
  readonly breakdowns: ReadonlyMap<AccountDimension, Breakdown>;
  readonly previous: Totals | null;
  /** Clicks of each hour of the week, from Monday midnight; absent if not requested. */
  readonly weekHours?: readonly number[];
}

export interface ClicksStats {
  /** Clicks stored individually. */
  readonly rows: number;
  /** Clicks stored as counts. */
  readonly compactedClicks: number;
  /** Clicks that other services have counted. */
  readonly importedClicks: number;
  readonly bytes: number;
  /** Size of the write-ahead log, which is replayed after a crash and must stay small. */
  readonly walBytes: number;
}

/** The engine is temporarily unavailable (disk full, too slow, too busy); the operation had no effect. */
export class ClicksUnavailable extends Error {}

/** The clicks of an earlier release are being brought up to date, which may take minutes. */
export class ClicksMigrating extends ClicksUnavailable {
  /** Whole percent. */
  readonly percent: number;

  constructor(percent: number) {
    super(`The clicks of an earlier release are being migrated: ${percent} % are done.`);
    this.percent = percent;
  }
}

/** A segment whose lines aren't the clicks they should be: a bug or another release's format. Nothing was stored. */
export class BadClicks extends Error {
  readonly segment: string;

  constructor(segment: string, reason: string) {
    super(`the clicks of the journal segment ${segment} can't be stored: ${reason}`);
    this.segment = segment;
  }
}

/** The clicks belong to a different records file, so their numbers would refer to the wrong accounts and links. */
export class ForeignClicks extends ClicksUnavailable {
  constructor(message: string) {
    super(message);
    // An operator's mistake; a stack trace wouldn't help.
    this.stack = message;
  }
}
