import { chmodSync, rmSync } from "node:fs";
import type { Socket, SocketHandler } from "bun";
import type { ClicksEngine } from "#engines/clicks/clicks-engine.ts";
import { LineReader, LineSender } from "#engines/coordination/change-lines.ts";
import { reasonOf } from "#kernel/error-text.ts";
import type { HoldAnswer, HoldRequest } from "./hold-messages.ts";

export interface HoldServerOptions {
  readonly socketPath: string;
  readonly clicks: Pick<ClicksEngine, "exportWith">;
  /** Keeps segments from being deleted and clicks from being erased, until the function it returns is called. */
  readonly pause: () => Promise<() => void>;
}

export interface HoldServer {
  /** For when the socket's file was deleted. */
  listenAgain(): void;
  stop(): Promise<void>;
}

interface Connection {
  readonly reader: LineReader;
  readonly sender: LineSender;
  readonly hold: Hold;
}

/** Pauses changes to a running server's data for backups, each for as long as its connection lasts. */
export function serveHolds({ socketPath, ...data }: HoldServerOptions): HoldServer {
  const open = new Map<Socket<Connection>, Hold>();
  const handlers: SocketHandler<Connection> = {
    open(socket) {
      const hold = new Hold(data);
      socket.data = { reader: new LineReader(), sender: new LineSender(socket), hold };
      open.set(socket, hold);
    },
    data(socket, chunk) {
      try {
        for (const request of socket.data.reader.read(chunk)) void answer(socket, request as HoldRequest);
      } catch {
        socket.terminate();
      }
    },
    drain: (socket) => socket.data.sender.drain(),
    close(socket) {
      open.delete(socket);
      void socket.data.hold.end();
    },
  };
  const listeners: { stop(force: boolean): void }[] = [];
  const listen = (): void => {
    // A socket left by a killed process would make listening fail; the data lock proves that it is dead.
    rmSync(socketPath, { force: true });
    listeners.push(Bun.listen<Connection>({ unix: socketPath, socket: handlers }));
    chmodSync(socketPath, 0o600);
  };
  listen();
  return {
    listenAgain: listen,
    async stop() {
      const holds = [...open.values()];
      for (const listener of listeners) listener.stop(true);
      await Promise.all(holds.map((hold) => hold.end()));
    },
  };
}

async function answer({ data: { hold, sender } }: Socket<Connection>, { ask }: HoldRequest): Promise<void> {
  const reply = (message: HoldAnswer): void => sender.send(message);
  try {
    if (ask === "hold") await hold.begin();
    else if (ask === "free clicks") await hold.freeClicks();
    else if (!hold.isHeld) throw new Error("nothing is paused");
    reply({ ok: true });
  } catch (error) {
    reply({ error: reasonOf(error) });
  }
}

/** The pauses of one backup: writes of the clicks engine for a while; deletions and erasures from the start to the end. */
class Hold {
  readonly #data: Omit<HoldServerOptions, "socketPath">;
  readonly #freed = Promise.withResolvers<void>();
  #beginning: Promise<void> | undefined;
  #exporting: Promise<void> | undefined;
  #resume: (() => void) | undefined;

  constructor(data: Omit<HoldServerOptions, "socketPath">) {
    this.#data = data;
  }

  get isHeld(): boolean {
    return this.#resume !== undefined;
  }

  begin(): Promise<void> {
    this.#beginning ??= this.#begin();
    return this.#beginning;
  }

  async freeClicks(): Promise<void> {
    this.#freed.resolve();
    await this.#exporting;
  }

  /** May be called during `begin`, when the backup was killed. */
  async end(): Promise<void> {
    this.#freed.resolve();
    await this.#beginning?.catch(() => {});
    await this.#exporting?.catch(() => {});
    this.#resume?.();
    this.#resume = undefined;
  }

  async #begin(): Promise<void> {
    const { clicks, pause } = this.#data;
    this.#resume = await pause();
    const still = Promise.withResolvers<void>();
    this.#exporting = clicks.exportWith(() => {
      still.resolve();
      return this.#freed.promise;
    });
    await Promise.race([still.promise, this.#exporting]);
  }
}
