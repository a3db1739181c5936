import type { Socket } from "bun";
import { backoffMs } from "#kernel/backoff.ts";
import { LineReader, LineSender } from "./change-lines.ts";
import type { BlockedAddress, ChangeNotice, MissCount, ToControl, ToRedirect } from "./change-messages.ts";

export interface ChangeSubscriptionOptions {
  readonly socketPath: string;
  /** From now on every change is announced; earlier ones must be read from the log. */
  readonly onWelcome: () => void;
  /** Once it returns, nothing it names may be served from a cache. */
  readonly onChanges: (notice: ChangeNotice) => void;
  /** What other nodes had changed by this time has been announced. */
  readonly onCurrent?: (at: number) => void;
  /** See `ToRedirect`. */
  readonly onCores?: (last: number) => void;
  readonly onBlocked: (addresses: readonly BlockedAddress[]) => void;
  /** Control has counted the misses of this report and all earlier ones. */
  readonly onCounted: (n: number) => void;
  /** From now on changes aren't announced. */
  readonly onLost: () => void;
}

export interface ChangeSubscription {
  /** Reports misses to control, with increasing numbers; returns false while there is no connection. */
  reportMisses(n: number, counts: readonly MissCount[]): boolean;
  close(): void;
}

interface Line {
  readonly reader: LineReader;
  readonly sender: LineSender;
}

const RECONNECT_MS_FIRST = 10;
// Until connected, a process checks the change log on every request, so it retries often.
const RECONNECT_MS_MAX = 50;

/** Keeps a connection to control's publisher open until closed. */
export function openChangeSubscription(options: ChangeSubscriptionOptions): ChangeSubscription {
  const { socketPath, onWelcome, onChanges, onCurrent, onCores, onBlocked, onCounted, onLost } = options;
  let current: Socket<Line> | undefined;
  let isWelcome = false;
  let isClosed = false;
  let failures = 0;
  let retry: ReturnType<typeof setTimeout> | undefined;

  const send = (socket: Socket<Line>, message: ToControl): void => socket.data.sender.send(message);

  const handle = (socket: Socket<Line>, message: ToRedirect): void => {
    if (message.type === "blocked") {
      onBlocked(message.addresses);
    } else if (message.type === "counted") {
      onCounted(message.n);
    } else if (message.type === "changes") {
      onChanges(message);
      send(socket, { type: "ack", n: message.n });
    } else if (message.type === "current") {
      onCurrent?.(message.at);
    } else if (message.type === "cores") {
      onCores?.(message.last);
    } else if (message.type === "welcome") {
      failures = 0;
      isWelcome = true;
      onWelcome();
    }
  };

  const lose = (socket: Socket<Line>): void => {
    if (current !== socket) return;
    current = undefined;
    if (isWelcome) onLost();
    isWelcome = false;
    reconnect();
  };

  const reconnect = (): void => {
    if (isClosed) return;
    failures += 1;
    retry = setTimeout(connect, backoffMs(failures, RECONNECT_MS_FIRST, RECONNECT_MS_MAX));
  };

  const connect = (): void => {
    Bun.connect<Line>({
      unix: socketPath,
      socket: {
        open(socket) {
          if (isClosed) return socket.terminate();
          current = socket;
          socket.data = { reader: new LineReader(), sender: new LineSender(socket) };
          send(socket, { type: "hello", pid: process.pid });
        },
        data(socket, chunk) {
          try {
            for (const message of socket.data.reader.read(chunk)) handle(socket, message as ToRedirect);
          } catch {
            lose(socket);
            socket.terminate();
          }
        },
        drain: (socket) => socket.data.sender.drain(),
        end: lose,
        close: lose,
        error(socket) {
          lose(socket);
          socket.terminate();
        },
      },
    }).catch(reconnect);
  };

  connect();
  return {
    reportMisses(n, counts) {
      if (!current || !isWelcome) return false;
      try {
        send(current, { type: "misses", n, counts });
        return true;
      } catch {
        // Control hangs and doesn't read; each process keeps its own count.
        return false;
      }
    },
    close() {
      isClosed = true;
      clearTimeout(retry);
      current?.terminate();
    },
  };
}
