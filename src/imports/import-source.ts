import type { CountedCut } from "#clicks/imported/counted-moment.ts";
import type { LinkCreate } from "#contract/link-record.ts";
import type { ClickCount, DayVisitors } from "#engines/clicks/click-counts.ts";
import type { OutboundClient } from "#engines/outbound/outbound-client.ts";
import type { LinkPast } from "#links/imported-link.ts";
import type { ImportedExtra } from "./run-extras.ts";

/** Where links and their clicks come from: another service, or a file. */
export interface ImportSource {
  /** As people call it. */
  readonly title: string;
  /** Whether it is read with a token, unless from a file. If not, reading starts over by itself after a restart. */
  readonly needsToken: boolean;
  /** Whether it is at an address, a file, or either. */
  readonly place: "url" | "file" | "either";
  /**
   * Links in any order; counts after their link. Throws `SourceProblem` for what the person who imports can mend; its
   * message is shown and stored, so it has no token in it.
   */
  read(context: ReadContext): AsyncIterable<ImportItem>;
}

/** A file needs no token, even if the service that wrote it does. */
export const needsToken = (source: ImportSource, file: string | null): boolean => source.needsToken && file === null;

/** Why a source can't be read, in words for the person who imports. */
export class SourceProblem extends Error {
  override readonly name = "SourceProblem";
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
  /** Another file with clicks by day, if the source takes one. */
  readonly countsFile: string | null;
  /** Which column has which field, where the names don't say it. */
  readonly columns: Readonly<Record<string, string>>;
  /** Whether counts are wanted at all. */
  readonly withClicks: boolean;
  /** Counts before it are left out. */
  readonly countsFrom: number | null;
  /** Of days without an offset. */
  readonly timeZone: string;
  /** How to wait until the service may be asked again; tests don't. */
  readonly pause?: (ms: number, signal: AbortSignal) => Promise<unknown>;
}

export type ImportItem =
  | { readonly type: "link"; readonly link: ImportedLink }
  | { readonly type: "counts"; readonly counts: ImportedCounts }
  /** Only from another Kurz. */
  | { readonly type: "exported"; readonly counts: ExportedCounts }
  | { readonly type: "visitors"; readonly visitors: ExportedVisitors }
  | ImportedExtra
  /** What the person who imports has to do themselves. */
  | { readonly type: "step"; readonly where: string; readonly what: string }
  /** What couldn't be understood, though nothing is left out for it. `line` is of a file, or empty. */
  | { readonly type: "note"; readonly line: string; readonly what: string }
  /** Something that can't become a link at all. */
  | { readonly type: "unreadable"; readonly where: string; readonly why: string; readonly line?: string };

/** A link as the source has it, in the terms of a new link. Nothing in it is checked yet. */
export interface ImportedLink {
  /**
   * By which the source finds it again, so that no import creates it twice. Of a service that runs in several places, it
   * includes the host. At most 500 characters.
   */
  readonly sourceId: string;
  /** Of the file, if it has one for each link. */
  readonly line?: number;
  /** Empty for a random one. */
  readonly slug: string;
  /** The host of its short URL at the source, without a port; empty if there is none. */
  readonly host: string;
  readonly fields: Omit<LinkCreate, "slug" | "domain" | "password" | "find_existing">;
  readonly state: "active" | "paused" | "archived";
  readonly createdAt: number | null;
  /** A password can't be carried over, so a link that had one is paused. */
  readonly hadPassword: boolean;
  /** How many of `max_clicks` are used up. */
  readonly usedClicks: number;
  /** What the source has and a link can't have, in words for the person who imports: few different ones. */
  readonly losses: readonly string[];
  /** Only from another Kurz: the link's id, its history and more. */
  readonly past?: LinkPast;
}

/** Clicks of one link in a quarter of an hour or on a day; see `CountedMoment`. */
export interface ImportedCounts {
  readonly sourceId: string;
  /** How the source names the link, if `sourceId` means nothing to people. */
  readonly where?: string;
  readonly atMs: number;
  readonly hasHour: boolean;
  readonly bot: boolean;
  readonly clicks: number;
  readonly cuts: readonly CountedCut[];
}

/** A count as an engine stores it, with its visitor if it has one. */
export interface ExportedCounts extends Omit<ClickCount, "link_no" | "domain"> {
  readonly sourceId: string;
}

/** Visitors of a link on a day; of the whole account if `sourceId` is null. */
export interface ExportedVisitors extends Omit<DayVisitors, "linkNo"> {
  readonly sourceId: string | null;
}
