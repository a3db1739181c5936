import type { ClicksFilePlace, ClicksServerPlace } from "../../places.ts";

/** Copies clicks from a file to a server, which then has exactly those that the file has. */
export interface ClicksMove {
  /** No other process may have it open. */
  readonly from: ClicksFilePlace;
  readonly to: ClicksServerPlace;
  /** Whose clicks they are; see `readInstallation`. */
  readonly installation: string;
  /** Whether to replace what nodes have stored on the server since the last move from the same installation. */
  readonly discards: boolean;
  /** Called often: before each table and after some of its rows. */
  readonly onProgress: (progress: ClicksMoveProgress) => void;
  /** Called when the server can't be used for a moment, with the reason, before it is asked again. */
  readonly onWait: (problem: string) => void;
}

export interface ClicksMoveProgress {
  readonly step: "copying" | "verifying";
  readonly table: string;
  readonly rows: number;
  readonly rowsMax: number;
}

export interface MovedClicksTable {
  readonly name: string;
  readonly rows: number;
  /** Of the number and checksum of each UTC day's rows: the same on both sides. */
  readonly sha256: string;
}

export interface MovedClicks {
  readonly tables: readonly MovedClicksTable[];
}

/** What a move would copy, and where to. */
export interface ClicksMovePlan {
  /** Rows by table. */
  readonly tables: readonly { readonly name: string; readonly rows: number }[];
  readonly target: ClicksMoveTarget;
}

export interface ClicksMoveTarget {
  /** Without a password. */
  readonly name: string;
  readonly state: "empty" | "moved before";
}
