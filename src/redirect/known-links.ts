import type { KnownLink, LinkSnapshot, OtherSnapshots, SnapshotUpdate } from "#engines/records/link-snapshot.ts";
import type { Change, RedirectReader } from "#engines/records/redirect-reader.ts";
import type { LinkKey } from "#kernel/link-key.ts";
import { sharedRuns } from "#kernel/shared-runs.ts";
import type { AnnouncedChanges, ChangeLog } from "./change-news.ts";
import { type AnswerTimes, RecordsInTime } from "./records-in-time.ts";

export interface KnownLinksOptions extends AnswerTimes {
  readonly records: RedirectReader;
  readonly snapshot: LinkSnapshot;
  /** A visitor may reach any process of the node, whichever has looked the link up before. */
  readonly others?: OtherSnapshots;
  /** The snapshot can't be used any more, and is gone. */
  readonly onSnapshotLost?: (error: unknown) => void;
}

const ANNOUNCED_KEYS_MAX = 10_000;
// As many as visitors may wait for: they must not wait for thousands of others, such as those of an import.
const LOOKUPS_AGAIN_MAX = 64;

interface Known {
  readonly link: KnownLink;
  /** The change that the link includes at least. */
  readonly asOf: number;
}

interface Lookup {
  readonly key: LinkKey;
  /** The last change of it that became known meanwhile. */
  changedAt: number;
}

/**
 * Asks the records, and remembers the links they return in a snapshot. While they are away nobody waits for them, and
 * the snapshot knows the links that they returned before.
 */
export class KnownLinks implements Pick<RedirectReader, "find">, ChangeLog {
  readonly #options: KnownLinksOptions;
  readonly #records: RecordsInTime;
  /** Looked up since the last save. */
  #fresh = new Map<LinkKey, Known>();
  #saving = new Map<LinkKey, Known>();
  /** The last change that is known of; `null` until the log was read. */
  #position: number | null = null;
  /** The last change that was announced: the log is read up to it within a second. */
  #announced = 0;
  /** What was announced since the last save, and by which number: copies of other processes may be older. */
  #announcedKeys = new Map<LinkKey, number>();
  #announcedAll = 0;
  readonly #lookups = new Set<Lookup>();
  /** `null` once its file couldn't be read or written. */
  #snapshot: LinkSnapshot | null;

  constructor(options: KnownLinksOptions) {
    this.#options = options;
    this.#snapshot = options.snapshot;
    // Files of other processes may be deleted or replaced by now.
    this.#records = new RecordsInTime(options.records, options, () => options.others?.close());
  }

  /** Of a link that is known, only the first visitor waits for records that are away. */
  async find(key: LinkKey, notBefore = 0): ReturnType<RedirectReader["find"]> {
    const records = this.#records;
    if (records.isAway && this.findOld(key) !== undefined) {
      records.probe();
      throw records.failure;
    }
    // Only visitors of links that nobody knows yet have to wait for the first connection.
    if (records.isOpening && this.findOld(key) !== undefined) return records.soon(this.#find(key, notBefore));
    return this.#find(key, notBefore);
  }

  async #find(key: LinkKey, notBefore: number): ReturnType<RedirectReader["find"]> {
    // What is looked up before the snapshot has a position couldn't be placed before or after a change.
    if (this.#position === null) await this.save();
    const { found, isStale } = await this.#lookUp(key, notBefore);
    // A cached link isn't looked up again by itself. Once more is enough: others may be changing all the time.
    if (isStale && found !== null) void this.#lookUp(key, notBefore).catch(() => {});
    return found;
  }

  /** Remembers the link, unless it may have changed meanwhile. */
  async #lookUp(key: LinkKey, notBefore: number) {
    const knownOf = Math.max(notBefore, this.#position ?? 0, this.#announced);
    const lookup: Lookup = { key, changedAt: 0 };
    this.#lookups.add(lookup);
    try {
      const { found, seq } = await this.#records.ask((records) => records.findAsOf(key, knownOf));
      // It may well include a change that became known later, such as its own creation.
      const isStale = seq < lookup.changedAt;
      if (found !== null && !isStale && this.#snapshot) this.#fresh.set(key, { link: found, asOf: seq });
      return { found, isStale };
    } finally {
      this.#lookups.delete(lookup);
    }
  }

  changesSince(seq: number): ReturnType<RedirectReader["changesSince"]> {
    return this.#records.ask((records) => records.changesSince(seq));
  }

  lastSeq(): Promise<number> {
    return this.#records.ask((records) => records.lastSeq());
  }

  hasForeignCommit(): Promise<boolean> {
    return this.#records.ask((records) => records.hasForeignCommit());
  }

  /** The link as the records last returned it, for when they are away. */
  findOld(key: LinkKey): KnownLink | undefined {
    return (
      (this.#fresh.get(key) ?? this.#saving.get(key))?.link ??
      this.#inSnapshot((snapshot) => snapshot.find(key)) ??
      this.#findElsewhere(key)
    );
  }

  /** What another process of the node remembers, unless this one knows of a change that it may not include. */
  #findElsewhere(key: LinkKey): KnownLink | undefined {
    const { others } = this.#options;
    if (!others) return undefined;
    // Once its own snapshot is gone, it can't tell any more which links have changed, or since when, without the log.
    const saved = this.#inSnapshot((snapshot) => snapshot.changedAt(key) ?? 0) ?? this.#position;
    if (saved === null) return undefined;
    const announced = this.#snapshot === null ? this.#announced : (this.#announcedKeys.get(key) ?? 0);
    return others.find(key, Math.max(saved, announced, this.#announcedAll));
  }

  get isEmpty(): boolean {
    const { others } = this.#options;
    if (this.#fresh.size + this.#saving.size > 0) return false;
    return (this.#inSnapshot((snapshot) => snapshot.isEmpty()) ?? true) && (others?.isEmpty() ?? true);
  }

  /** What has changed must not come back while the records are away. */
  forget({ keys, seq, seqs }: AnnouncedChanges): void {
    // A replica that lags behind it would return what is forgotten here.
    this.#announced = Math.max(this.#announced, seq);
    if (keys === null) {
      this.#announceAll();
      this.#dropNow(null, Number.POSITIVE_INFINITY);
      return;
    }
    if (this.#announcedKeys.size + keys.length > ANNOUNCED_KEYS_MAX) this.#announceAll();
    for (const [i, key] of keys.entries()) this.#forgetOne(key, seqs?.[i] ?? this.#announced);
  }

  #announceAll(): void {
    this.#announcedAll = this.#announced;
    this.#announcedKeys.clear();
  }

  #forgetOne(key: LinkKey, seq: number): void {
    if (seq > this.#announcedAll) this.#announcedKeys.set(key, Math.max(seq, this.#announcedKeys.get(key) ?? 0));
    // Numbers of a log that wasn't read yet may be of before the records were restored from a backup.
    const isComparable = this.#position !== null;
    const wasVisited = this.#dropNow(key, isComparable ? seq : Number.POSITIVE_INFINITY);
    // Its visitors were just redirected, maybe after the change: it may not have had its number yet.
    if (!wasVisited || !isComparable || this.#lookups.size >= LOOKUPS_AGAIN_MAX) return;
    void this.#lookUp(key, seq).catch(() => {});
  }

  #dropNow(key: LinkKey | null, seq: number): boolean {
    const wasVisited = this.#drop(key, seq);
    this.#inSnapshot((snapshot) => snapshot.forget(key === null ? null : [key], seq));
    return wasVisited;
  }

  /** Writes what was looked up, without what has changed since. */
  readonly save: () => Promise<void> = sharedRuns(() => this.#save());

  async #save(): Promise<void> {
    // Taken before the log is read: whatever of it changes from now on has a later number.
    for (const [key, link] of this.#fresh) this.#saving.set(key, link);
    this.#fresh = new Map();
    const position = this.#inSnapshot((snapshot) => snapshot.position()) ?? null;
    const found = position === null ? "gap" : await this.#changesOrKeep(position);
    const last = found === "gap" ? await this.lastSeq() : (found.at(-1)?.seq ?? position ?? 0);
    const changes = found === "gap" ? [{ seq: last, key: null }] : found;
    for (const { key, seq } of changes) this.#drop(key, found === "gap" ? Number.POSITIVE_INFINITY : seq);
    this.#position = last;
    for (const [key, seq] of this.#announcedKeys) if (seq <= last) this.#announcedKeys.delete(key);
    if (changes.length === 0 && this.#saving.size === 0) return;
    this.#write(changedOf(changes), last);
  }

  /** If the log can't be read, what was looked up is saved as of before: other processes of the node may need it. */
  async #changesOrKeep(position: number): ReturnType<RedirectReader["changesSince"]> {
    try {
      return await this.changesSince(position);
    } catch (error) {
      if (this.#saving.size > 0) this.#write([], position);
      throw error;
    }
  }

  #write(changed: SnapshotUpdate["changed"], position: number): void {
    this.#inSnapshot((snapshot) =>
      snapshot.update({
        links: this.#saving.entries().map(([key, { link, asOf }]) => [key, link, asOf] as const),
        changed,
        position,
      }),
    );
    this.#saving.clear();
  }

  /**
   * Only a copy: without it, redirects still work while the records do. One that can't be updated any more, as on a full
   * disk, must not return what has changed since.
   */
  #inSnapshot<T>(use: (snapshot: LinkSnapshot) => T): T | undefined {
    const snapshot = this.#snapshot;
    if (snapshot === null) return undefined;
    try {
      return use(snapshot);
    } catch (error) {
      this.#snapshot = null;
      this.#fresh.clear();
      this.#saving.clear();
      this.#options.onSnapshotLost?.(error);
      snapshot.discard();
      return undefined;
    }
  }

  /** Drops what doesn't include the change of this link (`null` for all), and returns whether there was any. */
  #drop(changed: LinkKey | null, seq: number): boolean {
    for (const lookup of this.#lookups) {
      if (changed === null || changed === lookup.key) lookup.changedAt = Math.max(lookup.changedAt, seq);
    }
    let hasDropped = false;
    for (const links of [this.#fresh, this.#saving]) {
      for (const key of changed === null ? links.keys() : [changed]) {
        if ((links.get(key)?.asOf ?? seq) < seq) hasDropped = links.delete(key);
      }
    }
    return hasDropped;
  }
}

function changedOf(changes: readonly Change[]): SnapshotUpdate["changed"] {
  const changed = new Map<LinkKey, number>();
  for (const { key, seq } of changes) {
    if (key === null) return null;
    changed.set(key, seq);
  }
  return changed;
}
