import type { RecordsFilePlace, RecordsServerPlace } from "../../places.ts";

/** Copies records from a file to a server, which then has exactly the rows that the file had at one moment. */
export interface RecordsMove {
  readonly from: RecordsFilePlace;
  readonly to: RecordsServerPlace;
  /** Whether to replace rows that were written on the server since the last move from the same installation. */
  readonly discards: boolean;
  /** Called often: before each table, after some of its rows, and in between. */
  readonly onProgress: (progress: MoveProgress) => void;
}

export interface MoveProgress {
  readonly step: "copying" | "indexing" | "verifying";
  readonly table: string;
  readonly rows: number;
  readonly rowsMax: number;
}

export interface MovedTable {
  readonly name: string;
  readonly rows: number;
  /** Of all rows, as text in the order of the primary key: the same on both sides. */
  readonly sha256: string;
}

export interface MovedRecords {
  readonly tables: readonly MovedTable[];
  /** Texts that contained NUL, which a server can't store: it has U+FFFD instead. */
  readonly textsWithNul: number;
}

/** What a move would copy, and where to. */
export interface MovePlan {
  /** Rows by table. */
  readonly tables: readonly { readonly name: string; readonly rows: number }[];
  readonly target: MoveTarget;
}

export interface MoveTarget {
  /** Without a password. */
  readonly name: string;
  readonly state: "empty" | "moved before";
}
