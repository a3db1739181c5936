import { fullGC, heapSize } from "bun:jsc";
import type { CountImports } from "#clicks/imported/count-imports.ts";
import { domainForNewLink } from "#domains/link-domains.ts";
import type { OutboundClient } from "#engines/outbound/outbound-client.ts";
import type { Records } from "#engines/records/records.ts";
import type { Sql } from "#engines/records/schema.ts";
import { ApiError } from "#kernel/api-error.ts";
import type { Caller } from "#kernel/caller.ts";
import type { Clock } from "#kernel/clock.ts";
import type { LinkService } from "#links/links.service.ts";
import type { ImportSource } from "./import-source.ts";
import { changeImport, type ImportChange, type ImportRow } from "./imports.store.ts";
import type { Extras } from "./run-extras.ts";
import type { Spool } from "./spool.ts";

export interface ImportDeps {
  readonly records: Records;
  readonly clock: Clock;
  readonly links: LinkService;
  readonly counts: CountImports;
  readonly extras: Extras;
  readonly client: OutboundClient;
  readonly sources: Readonly<Record<string, ImportSource>>;
  /** Of the instance. */
  readonly ownDomain: string;
}

/** One import while a step of it is done. */
export interface ImportWork {
  readonly row: ImportRow;
  /** On whose behalf. */
  readonly caller: Caller;
  readonly spool: Spool;
  readonly signal: AbortSignal;
}

/** Someone else has cancelled the import, or goes on with it. */
export class ImportTaken extends Error {}

/** The import can't go on; the message is for the person who imports. */
export class ImportFailed extends Error {}

/** Within a transaction that only holds if the import is still in this state. */
export async function saveImport(
  tx: Sql,
  { clock }: ImportDeps,
  row: ImportRow,
  change: ImportChange,
): Promise<ImportRow> {
  const at = clock();
  if (!(await changeImport(tx, row, at, change))) throw new ImportTaken();
  return { ...row, ...change, updated_at: at } as ImportRow;
}

const PAUSE_MS_MAX = 1000;
const GARBAGE_BYTES_MAX = 10 * 1024 ** 2;

/** Works at most half of the time, so that redirects and everyone else have the other half. */
export class Pace {
  #startedMs = performance.now();
  #heapBytes = heapSize();

  async rest(signal: AbortSignal): Promise<void> {
    this.#collect();
    const tookMs = performance.now() - this.#startedMs;
    await Bun.sleep(Math.min(Math.max(1, tookMs), PAUSE_MS_MAX));
    if (signal.aborted) throw new ImportTaken();
    this.#startedMs = performance.now();
  }

  /**
   * What a batch uses grows old while the engines store it, and the runtime collects old garbage only when there is more of
   * it than of everything else: an import would use twice the memory.
   */
  #collect(): void {
    const bytes = heapSize();
    this.#heapBytes = Math.min(this.#heapBytes, bytes);
    if (bytes - this.#heapBytes < GARBAGE_BYTES_MAX) return;
    fullGC();
    this.#heapBytes = heapSize();
  }
}

/** Where links of a host go: to the account's domain of that name, else to the one that was chosen, else to the default. */
export function domainFinder({ ownDomain }: ImportDeps, { row, caller }: ImportWork, sql: Sql) {
  const known = new Map<string, boolean>();
  const isYours = async (host: string): Promise<boolean> => {
    const before = known.get(host);
    if (before !== undefined) return before;
    const found = await hasDomain(sql, caller, host, ownDomain);
    known.set(host, found);
    return found;
  };
  return {
    isYours,
    domainOf: async (host: string): Promise<string | undefined> =>
      host !== "" && (await isYours(host)) ? host : (row.options.domain ?? undefined),
  };
}

async function hasDomain(sql: Sql, caller: Caller, host: string, ownDomain: string): Promise<boolean> {
  try {
    await domainForNewLink(sql, caller, host, ownDomain);
    return true;
  } catch (error) {
    if (error instanceof ApiError && error.status < 500) return false;
    throw error;
  }
}
