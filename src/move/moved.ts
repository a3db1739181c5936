import type { DataPaths } from "#config/data-paths.ts";
import type { Config } from "#config/settings.ts";
import type { ClicksMoveProgress } from "#engines/clicks/move/clicks-move.ts";
import type { MoveProgress } from "#engines/records/move/records-move.ts";

export interface MoveOptions {
  /** Of the deployment whose data is moved. */
  readonly config: Config;
  readonly paths: DataPaths;
  /** Of the deployment that it is moved to. */
  readonly target: Config;
  readonly discards: boolean;
  readonly isDryRun: boolean;
  readonly onProgress: (part: "records" | "clicks", progress: MoveProgress | ClicksMoveProgress) => void;
  /** A server can't be used for a moment, for a reason, and is asked again. */
  readonly onWait: (problem: string) => void;
}

export interface MovedRows {
  readonly name: string;
  readonly rows: number;
  readonly sha256: string | null;
}

export interface Moved {
  /** Where the records are now, without a password, or would be; `null` if they were on a server before. */
  readonly to: string | null;
  /** As of when everything was copied. */
  readonly taken_at: string;
  /** Whether no server can have changed anything since. */
  readonly is_final: boolean;
  readonly is_dry_run: boolean;
  readonly tables: readonly MovedRows[];
  readonly texts_with_nul: number;
  /** Where the clicks stay, and the server must find them; `null` if the new settings name a server for them. */
  readonly clicks_in: string | null;
  /** The clicks on their server; `null` if they stay, or while a server has their file. */
  readonly clicks: MovedClicksPart | null;
}

export interface MovedClicksPart {
  readonly to: string;
  readonly tables: readonly MovedRows[];
}

export const withoutChecksum = (table: { readonly name: string; readonly rows: number }): MovedRows => ({
  ...table,
  sha256: null,
});
