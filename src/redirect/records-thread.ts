import type { RecordsPlace } from "#engines/places.ts";
import { RecordsUnavailable } from "#engines/records/records.ts";
import type { Found, FoundLink, HostTable } from "#engines/records/redirect-reader.ts";
import { reasonOf } from "#kernel/error-text.ts";
import { HOSTS_KEY, type LinkKey, linkKey, OWN_DOMAIN } from "#kernel/link-key.ts";
import { shippedWorker } from "#kernel/shipped-files.ts";
import { watchForStalls } from "#kernel/stall-watch.ts";
import { openWorkerCalls } from "#kernel/worker-calls.ts";
import type { AnnouncedChanges, ChangeNews } from "./change-news.ts";
import type { NewsSource } from "./freshness.ts";

/** Where links come from: with the records away, from what this process remembers. */
export type LinkSource = "records" | "known links";

export type ThreadRequest = { readonly id: number } & (
  | { readonly key: LinkKey; readonly notBefore: number }
  | { readonly seq: number | null; readonly isBehind: boolean }
);

export interface ThreadRequests {
  readonly place: RecordsPlace;
  /** Where links are remembered for when the records are away; `null` to remember none. */
  readonly snapshotPath: string | null;
  readonly requests: readonly ThreadRequest[];
  readonly changed?: AnnouncedChanges;
}

export type ThreadAnswer = {
  readonly id: number;
  /** Why links are no longer remembered. */
  readonly snapshotProblem?: string;
} & (
  | { readonly value: Found | ChangeNews; readonly isOld?: true }
  | { readonly problem: string; readonly hasKnownLinks?: boolean }
);

interface Waiter {
  /** Look-ups fail if the disk doesn't respond; changes must still be read, however late. */
  readonly isLookup: boolean;
  /** The link is from a snapshot, and must not be cached. */
  onOld(): void;
  resolve(value: unknown): void;
  reject(error: RecordsUnavailable): void;
}

export interface RecordsThread extends NewsSource {
  /** Slugs are looked up in lower case. */
  find(key: LinkKey): Promise<FoundLink>;
  /** The hosts of all verified domains. */
  findHosts(): Promise<HostTable>;
  /** Which of them answers now; `null` if neither does. */
  findSource(): Promise<LinkSource | null>;
  close(): void;
}

export interface RecordsThreadOptions {
  readonly diskTimeoutMs?: number;
  /** The same for the first answer, before which the thread starts and opens the records. */
  readonly openingTimeoutMs?: number;
  readonly snapshotPath?: string | null;
  /** The records are away, and what `find` is about to return is as old as the snapshot: it must not be cached. */
  readonly onOld?: (key: LinkKey) => void;
  /** Links are no longer remembered for when the records are away, until the process starts again. */
  readonly onSnapshotLost?: (problem: string) => void;
}

const DISK_TIMEOUT_MS = 1000;
// Takes a moment, or seconds if the machine is overloaded, as when many things start at once.
const OPENING_TIMEOUT_MS = 5000;
// Reserved, so that it never names a link.
const PROBED_KEY = linkKey(OWN_DOMAIN, "readyz");
const module = shippedWorker("src/redirect/records-worker.ts");

/**
 * The records engine in its own thread: it is synchronous, and even a read blocks while the disk is frozen. All requests
 * of an event loop iteration are sent in one message and answered in order.
 */
export function openRecordsThread(
  place: RecordsPlace,
  {
    diskTimeoutMs = DISK_TIMEOUT_MS,
    openingTimeoutMs = OPENING_TIMEOUT_MS,
    snapshotPath = null,
    onOld = () => {},
    onSnapshotLost = () => {},
  }: RecordsThreadOptions = {},
): RecordsThread {
  const waiters = new Map<number, Waiter>();
  let watch = watchForStalls(openingTimeoutMs, onStall);
  let isOpen = false;
  const worker = openWorkerCalls<ThreadRequests, readonly ThreadAnswer[]>({ module });
  let requests: ThreadRequest[] = [];
  let lastId = 0;
  let isStalled = false;
  let isClosed = false;
  let hasKnownLinks = false;
  /** The last change that the cache was told about: no look-up may return less. */
  let seenSeq = 0;

  function ask<T>(request: Omit<ThreadRequest, "id">, isLookup: boolean): Promise<T> {
    if (isClosed) return Promise.reject(new RecordsUnavailable("the records are closed"));
    if (isLookup && isStalled) return Promise.reject(newStallError());
    lastId += 1;
    const id = lastId;
    if (requests.length === 0) setImmediate(send);
    requests.push({ ...request, id } as ThreadRequest);
    return new Promise<T>((resolve, reject) =>
      waiters.set(id, {
        isLookup,
        onOld: () => "key" in request && onOld(request.key as LinkKey),
        resolve: (value) => resolve(value as T),
        reject,
      }),
    );
  }

  function send(): void {
    if (isClosed) return;
    // Earlier requests are being watched already, and new ones must not restart the watch.
    if (!isStalled && waiters.size === requests.length) watch.begin();
    const sent = requests;
    requests = [];
    worker.call({ place, snapshotPath, requests: sent }).then(onAnswers, (error: unknown) => {
      const problem = reasonOf(error);
      onAnswers(sent.map(({ id }) => ({ id, problem })));
    });
  }

  function onAnswers(answers: readonly ThreadAnswer[]): void {
    isStalled = false;
    // What a snapshot answers says nothing about the records.
    if (!isOpen && answers.some((answer) => !("isOld" in answer))) {
      isOpen = true;
      watch.stop();
      watch = watchForStalls(diskTimeoutMs, onStall);
    }
    const lost = answers[0]?.snapshotProblem;
    if (lost !== undefined) onSnapshotLost(lost);
    for (const answer of answers) {
      const waiter = waiters.get(answer.id);
      waiters.delete(answer.id);
      if ("value" in answer) {
        if (answer.isOld) waiter?.onOld();
        waiter?.resolve(answer.value);
      } else {
        hasKnownLinks = answer.hasKnownLinks ?? hasKnownLinks;
        waiter?.reject(new RecordsUnavailable(answer.problem));
      }
    }
    if (waiters.size > 0) watch.begin();
    else watch.end();
  }

  /** Look-ups fail right away instead of waiting for the disk. */
  function onStall(): void {
    isStalled = true;
    for (const [id, waiter] of waiters) {
      if (!waiter.isLookup) continue;
      waiters.delete(id);
      waiter.reject(newStallError());
    }
  }

  function rejectAll(error: RecordsUnavailable): void {
    isStalled = false;
    watch.end();
    for (const waiter of waiters.values()) waiter.reject(error);
    waiters.clear();
  }

  const find = (key: LinkKey): Promise<FoundLink> => ask({ key, notBefore: seenSeq }, true);
  return {
    find,
    findHosts: () => ask({ key: HOSTS_KEY, notBefore: seenSeq }, true),
    findSource: () =>
      find(PROBED_KEY).then(
        () => "records",
        () => (hasKnownLinks ? "known links" : null),
      ),
    forget(keys, seqs) {
      if (isClosed || snapshotPath === null) return;
      // Numbers that go back may be those of records restored from a backup, and can't be compared with earlier ones.
      const isNewest = seqs !== undefined && Math.max(...seqs) === seenSeq;
      const changed = { keys, seq: seenSeq, ...(isNewest && { seqs }) };
      worker.call({ place, snapshotPath, requests: [], changed }).catch(() => {});
    },
    async news(seq, isBehind) {
      const news = await ask<ChangeNews | null>({ seq, isBehind }, false);
      if (news !== null) seenSeq = Math.max(seenSeq, news.seq);
      return news;
    },
    noteSeq(seq) {
      seenSeq = Math.max(seenSeq, seq);
    },
    close() {
      isClosed = true;
      watch.stop();
      void worker.stop();
      rejectAll(new RecordsUnavailable("the records are closed"));
    },
  };
}

const newStallError = (): RecordsUnavailable => new RecordsUnavailable("the records disk does not respond");
