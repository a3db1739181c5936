/** What can be learnt about the server for clicks, without changing anything. */
export type ClicksFacts =
  | { readonly problem: string }
  | {
      /** Such as `ClickHouse 26.3.1.1`. */
      readonly version: string;
      /** The first version that can be used, if this one can't. */
      readonly versionMin: string | null;
      readonly tables: number;
      readonly bytes: number;
      /** Of the disk that has least; `null` if the server doesn't say. */
      readonly disk: { readonly freeBytes: number; readonly totalBytes: number } | null;
      /** Replicated tables that can't be written to. */
      readonly readOnlyTables: number;
    };
