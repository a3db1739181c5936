import type { BlockReason } from "#contract/errors.ts";
import type { LiveState } from "#contract/link-record.ts";
import type { LinkKey } from "#kernel/link-key.ts";
import type { LinkSettings } from "#visits/link-settings.ts";

/** What a redirect needs to know about a link. */
export interface RedirectRow {
  readonly no: number;
  readonly account_no: number;
  readonly destination_url: string;
  readonly utm: Readonly<Record<string, string>>;
  readonly title: string | null;
  readonly state: LiveState;
  readonly expires_at: number | null;
  readonly blocked_reason: BlockReason | null;
  /** Whether its account is suspended. */
  readonly suspended: boolean;
  /** Whether it has a password. */
  readonly guarded: boolean;
  /** Null for a plain link. */
  readonly settings: LinkSettings | null;
}

/** A verified domain. */
export interface HostRow {
  readonly no: number;
  /** In lower case and in ASCII, as in a Host header. */
  readonly name: string;
  /** Null, as the two below, if it isn't set, if the operator blocks it, and while the account is suspended. */
  readonly root_redirect_url: string | null;
  readonly not_found_redirect_url: string | null;
  readonly expired_redirect_url: string | null;
}

export interface HostTable {
  readonly hosts: readonly HostRow[];
}

/** The result of a look-up: the link, its tombstone, or nothing. */
export type FoundLink = RedirectRow | "deleted" | null;

/** Under `HOSTS_KEY` it is the table of hosts, under every other key a link. */
export type Found = FoundLink | HostTable;

export interface FoundAsOf {
  readonly found: Found;
  /** It includes at least the changes up to this one, and maybe later ones that have no number yet. */
  readonly seq: number;
}

/** One entry of the change log. A null key means everything changed. */
export interface Change {
  readonly seq: number;
  readonly key: LinkKey | null;
}

/** The records engine as redirect processes use it. */
export interface RedirectReader {
  /** Whether it replaces broken connections by itself. Any other one is opened again after a failure. */
  readonly reconnects?: boolean;
  /** Expects the key in lower case. The answer includes at least the changes up to `notBefore`. */
  find(key: LinkKey, notBefore?: number): Promise<Found>;
  findAsOf(key: LinkKey, notBefore?: number): Promise<FoundAsOf>;
  /** What changed after `seq`, in commit order, or "gap" if that is no longer known or too much to list. */
  changesSince(seq: number): Promise<readonly Change[] | "gap">;
  lastSeq(): Promise<number>;
  /** Whether there was a commit since the last call; true on the first call. */
  hasForeignCommit(): Promise<boolean>;
  close(): Promise<void>;
}

/** Beyond this, clearing the cache is cheaper than listing what changed. */
export const CHANGES_READ_MAX = 10_000;
