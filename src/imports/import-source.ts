import type { CountedCut } from "#clicks/imported/counted-moment.ts";
import type { LinkCreate } from "#contract/link-record.ts";
import type { OutboundClient } from "#engines/outbound/outbound-client.ts";

/** Where links and their clicks come from: another service, or a file. */
export interface ImportSource {
  /** Links in any order; counts after their link. */
  read(context: ReadContext): AsyncIterable<ImportItem>;
}

/** What a source needs from the person who imports. */
export interface ReadContext {
  readonly client: OutboundClient;
  readonly signal: AbortSignal;
  /** The service's address; for those that run in one place only, a default that tests replace. */
  readonly url: string;
  /** Only in memory: it is in no file, log or error. */
  readonly token: string;
  /** The file that was given, if the source takes one. */
  readonly file: string | null;
  /** Counts before it are left out. */
  readonly countsFrom: number | null;
  /** Of days without an offset. */
  readonly timeZone: string;
}

export type ImportItem =
  | { readonly type: "link"; readonly link: ImportedLink }
  | { readonly type: "counts"; readonly counts: ImportedCounts }
  /** Something that can't become a link at all. */
  | { readonly type: "unreadable"; readonly where: string; readonly why: string };

/** A link as the source has it, in the terms of a new link. Nothing in it is checked yet. */
export interface ImportedLink {
  /** By which the source finds it again, so that no import creates it twice. */
  readonly sourceId: string;
  readonly slug: string;
  /** The host of its short URL at the source, without a port. */
  readonly host: string;
  readonly fields: Omit<LinkCreate, "slug" | "domain" | "password" | "find_existing">;
  readonly state: "active" | "paused" | "archived";
  readonly createdAt: number | null;
  /** A password can't be carried over, so a link that had one is paused. */
  readonly hadPassword: boolean;
  /** How many of `max_clicks` are used up. */
  readonly usedClicks: number;
  /** What the source has and a link can't have, in words for the person who imports. */
  readonly losses: readonly string[];
}

/** Clicks of one link in a quarter of an hour or on a day; see `CountedMoment`. */
export interface ImportedCounts {
  readonly sourceId: string;
  readonly atMs: number;
  readonly hasHour: boolean;
  readonly bot: boolean;
  readonly clicks: number;
  readonly cuts: readonly CountedCut[];
}
