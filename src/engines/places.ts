export interface RecordsFilePlace {
  readonly path: string;
}

export interface RecordsServerPlace {
  readonly url: string;
  /** A copy for the look-ups of redirects; `null` to use the same server for everything. */
  readonly readUrl: string | null;
}

/** In a file of this node, or on a server that other nodes use, too. */
export type RecordsPlace = RecordsFilePlace | RecordsServerPlace;

interface Batches {
  /** Contains short-lived files that the engine loads. */
  readonly batchDirectory: string;
}

export interface ClicksFilePlace extends Batches {
  readonly path: string;
}

export interface ClicksServerPlace extends Batches {
  readonly url: string;
  /** The cluster whose servers have copies of the tables; `null` for one server. */
  readonly cluster: string | null;
}

/** In a file of this node, or on a server that other nodes use, too. */
export type ClicksPlace = ClicksFilePlace | ClicksServerPlace;

/** `null` if the clicks are on a server. */
export const findClicksFile = (place: ClicksPlace): string | null => ("path" in place ? place.path : null);

/** On a server that other nodes use, too; `null` for a single node. */
export type CoordinationPlace = { readonly url: string } | null;

/** Where a deployment's engines are. Plain data, so that a worker thread can get it. URLs contain passwords. */
export interface EnginePlaces {
  readonly records: RecordsPlace;
  readonly clicks: ClicksPlace;
  readonly coordination: CoordinationPlace;
}

/** Whether other nodes use the same engine. */
export const isShared = (place: RecordsPlace | ClicksPlace): boolean => "url" in place;
