import { chmodSync, mkdirSync, rmSync } from "node:fs";
import { dirname } from "node:path";
import type { SocketHandler } from "bun";
import type { RedirectReader } from "#engines/records/redirect-reader.ts";
import { type Clock, systemClock } from "#kernel/clock.ts";
import type { LinkKey } from "#kernel/link-key.ts";
import { sharedRuns } from "#kernel/shared-runs.ts";
import { LineReader } from "./change-lines.ts";
import type { BlockedAddress, ChangeNotice, MissCount, ToControl, ToRedirect } from "./change-messages.ts";
import { ChangePeer } from "./change-peer.ts";
import { MissExchange } from "./miss-exchange.ts";
import { MissTally } from "./miss-tally.ts";
import { ownMissesOnly, type SharedMisses } from "./shared-misses.ts";

export interface ChangePublisherOptions {
  readonly socketPath: string;
  readonly records: Pick<RedirectReader, "changesSince" | "lastSeq">;
  /**
   * Whether the log is on a server, which may be away or slow. The caches then keep what they know, in doubt, and a write
   * whose change can't be announced in time fails. Otherwise they are cleared, and it succeeds.
   */
  readonly isShared?: boolean;
  /** How long a write whose change is committed waits for that. */
  readonly announceMsMax?: number;
  /** How long a redirect process may take to acknowledge before it is killed. */
  readonly ackTimeoutMs?: number;
  /** Misses per address and minute across all redirect processes; 0 means no limit. */
  readonly missLimitPerMinute?: number;
  /** With the same limit, for the misses of all nodes. */
  readonly sharedMisses?: SharedMisses;
  readonly kill?: (pid: number) => void;
  readonly clock?: Clock;
}

export interface ChangePublisher {
  /** Call after each commit: resolves when no redirect process on this node serves stale data. */
  publish(): Promise<void>;
  /** Announces what other nodes have changed, and when it knew; rejects if the log can't be read. */
  catchUp(): Promise<void>;
  /** Asks redirect processes, also those that connect later, to keep off this many of the last cores. 0 ends that. */
  takeCores(last: number): void;
  /** Listens again if the socket file was deleted. */
  listenAgain(): void;
  subscribers(): number;
  close(): void;
}

interface Connection {
  readonly peer: ChangePeer;
  readonly lines: LineReader;
}

const ACK_TIMEOUT_MS = 1000;
// Several attempts of a reader that gives up early.
const ANNOUNCE_MS_MAX = 5000;
const ANNOUNCE_AGAIN_MS = 100;
// Other nodes may change links hundreds of times a second, which needn't double the messages.
const CURRENT_MS_MIN = 200;

export async function openChangePublisher({
  socketPath,
  records,
  isShared = false,
  announceMsMax = ANNOUNCE_MS_MAX,
  ackTimeoutMs = ACK_TIMEOUT_MS,
  missLimitPerMinute = 0,
  sharedMisses = ownMissesOnly,
  kill = killProcess,
  clock = systemClock,
}: ChangePublisherOptions): Promise<ChangePublisher> {
  const peers = new Set<ChangePeer>();
  const misses = new MissTally({ limit: missLimitPerMinute });
  let published = await records.lastSeq();
  let notices = 0;
  let takenCores = 0;
  let currentAt = Number.NEGATIVE_INFINITY;

  const broadcast = (send: (peer: ChangePeer) => void): void => {
    for (const peer of peers) if (peer.isSubscribed) send(peer);
  };

  const handle = (peer: ChangePeer, message: ToControl): void => {
    if (message.type === "ack") {
      peer.acknowledge(message.n);
    } else if (message.type === "misses") {
      countMisses(message.counts);
      peer.send({ type: "counted", n: message.n });
    } else if (message.type === "hello") {
      peer.welcome(message.pid);
      peer.send({ type: "blocked", addresses: misses.blocked() });
      if (takenCores > 0) peer.send({ type: "cores", last: takenCores });
    }
  };

  const block = (addresses: readonly BlockedAddress[]): void => {
    const message: ToRedirect = { type: "blocked", addresses };
    if (addresses.length > 0) broadcast((peer) => peer.send(message));
  };

  const exchange = new MissExchange({ shared: sharedMisses, onBlocked: block });

  const countMisses = (counts: readonly MissCount[]): void => {
    if (missLimitPerMinute === 0) return;
    exchange.add(counts);
    block(
      counts.map(([address, count]) => [address, misses.add(address, count)] as const).filter(([, forMs]) => forMs > 0),
    );
  };

  const handlers: SocketHandler<Connection> = {
    open(socket) {
      socket.data = { peer: new ChangePeer({ socket, ackTimeoutMs, kill }), lines: new LineReader() };
      peers.add(socket.data.peer);
    },
    data(socket, chunk) {
      const { peer, lines } = socket.data;
      try {
        for (const message of lines.read(chunk)) handle(peer, message as ToControl);
      } catch {
        socket.terminate();
      }
    },
    drain(socket) {
      socket.data.peer.drain();
    },
    close(socket) {
      peers.delete(socket.data.peer);
      socket.data.peer.end();
    },
    error(socket) {
      socket.terminate();
    },
  };
  const listeners: { stop(force: boolean): void }[] = [];
  const listen = (): void => {
    prepareSocketPath(socketPath);
    listeners.push(Bun.listen<Connection>({ unix: socketPath, socket: handlers }));
  };
  listen();

  const send = (notice: Omit<ChangeNotice, "n">): void => {
    published = notice.seq;
    notices += 1;
    const numbered = { n: notices, ...notice };
    broadcast((peer) => peer.notify(numbered));
  };

  const announce = sharedRuns(async () => {
    const notice = await readNotice(records, published);
    if (notice) send(notice);
  });

  /** What is committed can't be taken back, so until it is announced the caches have to look for themselves. */
  const announceCommitted = async (): Promise<void> => {
    const startedMs = performance.now();
    for (let attempt = 1; ; attempt += 1) {
      try {
        return await announce();
      } catch (error) {
        if (!isShared) return send({ seq: published, keys: null });
        if (attempt === 1) send({ seq: published, keys: [], inDoubt: true });
        if (performance.now() - startedMs > announceMsMax) throw error;
        await Bun.sleep(ANNOUNCE_AGAIN_MS);
      }
    }
  };

  return {
    async publish() {
      const [announced] = await Promise.allSettled([announceCommitted()]);
      // Waits even if there is nothing new: another call may just have sent this caller's change.
      const waits: Promise<void>[] = [];
      for (const peer of peers) {
        const settled = peer.settled();
        if (settled) waits.push(settled);
      }
      if (waits.length > 0) await Promise.all(waits);
      if (announced.status === "rejected") throw announced.reason;
    },
    async catchUp() {
      // Of before the log was read: what is committed meanwhile may be missing from it.
      const at = clock();
      await announce();
      if (Math.abs(at - currentAt) < CURRENT_MS_MIN) return;
      currentAt = at;
      broadcast((peer) => peer.send({ type: "current", at }));
    },
    takeCores(last) {
      if (last === takenCores) return;
      takenCores = last;
      broadcast((peer) => peer.send({ type: "cores", last }));
    },
    listenAgain: listen,
    subscribers: () => [...peers].filter((peer) => peer.isSubscribed).length,
    close() {
      exchange.close();
      for (const listener of listeners) listener.stop(true);
      for (const peer of peers) peer.end();
      peers.clear();
    },
  };
}

async function readNotice(
  records: ChangePublisherOptions["records"],
  published: number,
): Promise<Omit<ChangeNotice, "n"> | undefined> {
  const changes = await records.changesSince(published);
  if (changes === "gap") return { seq: await records.lastSeq(), keys: null };
  const last = changes.at(-1);
  if (!last) return undefined;
  const seqs = new Map<LinkKey, number>();
  for (const { key, seq } of changes) {
    if (key === null) return { seq: last.seq, keys: null };
    seqs.set(key, seq);
  }
  return { seq: last.seq, keys: [...seqs.keys()], seqs: [...seqs.values()] };
}

function prepareSocketPath(path: string): void {
  const directory = dirname(path);
  mkdirSync(directory, { recursive: true, mode: 0o700 });
  chmodSync(directory, 0o700);
  // A killed process leaves its socket file behind, which would make listening fail.
  rmSync(path, { force: true });
}

function killProcess(pid: number): void {
  try {
    if (pid > 1 && pid !== process.pid) process.kill(pid, "SIGKILL");
  } catch {
    // Already gone; its socket closes.
  }
}
