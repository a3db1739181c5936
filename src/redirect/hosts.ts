import type { HostRow, HostTable } from "#engines/records/redirect-reader.ts";
import { hostNameOf } from "#shared/host-name.ts";

export interface HostsOptions {
  readonly load: () => Promise<HostTable>;
  /** The instance's own, as in a Host header: they are known before the table is. */
  readonly own: readonly string[];
  /** Monotonic milliseconds. */
  readonly now?: () => number;
}

/** `null` is the instance's own domain; `undefined` if nobody could tell yet. */
export type Host = HostRow | null | undefined;

// While the table can't be read, visitors don't wait for every attempt.
const RETRY_MS = 1000;

/** Which domain a request is for, by its Host header. Unknown hosts lead to the instance's own. */
export class Hosts {
  readonly #load: () => Promise<HostTable>;
  readonly #own: ReadonlySet<string>;
  readonly #now: () => number;
  #rows: ReadonlyMap<string, HostRow> | undefined;
  #isCurrent = false;
  #isOld = false;
  /** Counts changes. */
  #version = 0;
  #retryAt = Number.NEGATIVE_INFINITY;
  #loading: Promise<void> | undefined;
  /** Most requests in a row are for the same host. */
  #last: { readonly text: string; readonly host: Host } | undefined;

  constructor({ load, own, now = () => performance.now() }: HostsOptions) {
    this.#load = load;
    this.#own = new Set(own.map(hostNameOf));
    this.#now = now;
  }

  /** `text` is the header as sent. If `isUsable` is false, call `refresh` first. */
  find(text: string): Host {
    if (this.#last?.text === text) return this.#last.host;
    const host = this.#find(hostNameOf(text));
    if (this.#rows !== undefined) this.#last = { text, host };
    return host;
  }

  /** Whether it is known to be no domain of an account. */
  isOwn(text: string): boolean {
    return this.find(text) === null && (this.#own.has(hostNameOf(text)) || this.isUsable);
  }

  /** Whether the table is up to date, or can't be read at the moment. */
  get isUsable(): boolean {
    return this.#isCurrent || this.#now() < this.#retryAt;
  }

  /** The records are away, and what is about to be loaded is what they last returned. */
  noteOld(): void {
    this.#isOld = true;
  }

  /** After a change; whoever asks from now on has to wait for `refresh`. */
  forget(): void {
    this.#version += 1;
    this.#isCurrent = false;
    this.#retryAt = Number.NEGATIVE_INFINITY;
    this.#loading = undefined;
  }

  /** While the table can't be read, the one before is used. */
  refresh(): Promise<void> {
    if (this.isUsable) return Promise.resolve();
    this.#loading ??= this.#read();
    return this.#loading;
  }

  async #read(): Promise<void> {
    const version = this.#version;
    this.#isOld = false;
    const rows = await this.#load().then(
      ({ hosts }) => new Map(hosts.map((host) => [host.name, host])),
      () => undefined,
    );
    // What was read may be older than the change.
    if (version !== this.#version) return this.refresh();
    this.#loading = undefined;
    this.#isCurrent = rows !== undefined && !this.#isOld;
    if (!this.#isCurrent) this.#retryAt = this.#now() + RETRY_MS;
    if (rows === undefined) return;
    this.#rows = rows;
    this.#last = undefined;
  }

  #find(name: string): Host {
    if (this.#own.has(name)) return null;
    return this.#rows === undefined ? undefined : (this.#rows.get(name) ?? null);
  }
}

/** For a node that serves no short links: domains lead elsewhere. */
export const noHosts: Pick<Hosts, "find" | "isOwn" | "refresh"> = {
  find: () => null,
  isOwn: () => true,
  refresh: async () => {},
};
