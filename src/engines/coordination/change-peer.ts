import { type ByteSink, LineSender } from "./change-lines.ts";
import type { ChangeNotice, ToRedirect } from "./change-messages.ts";

export interface PeerSocket extends ByteSink {
  terminate(): void;
}

export interface ChangePeerOptions {
  readonly socket: PeerSocket;
  readonly ackTimeoutMs: number;
  readonly kill: (pid: number) => void;
}

interface Outstanding {
  readonly n: number;
  readonly dueAt: number;
  readonly done: PromiseWithResolvers<void>;
}

const GRACE_MS = 100;
const DEATH_MS_MAX = 500;

/** The publisher's view of a redirect process: the notices it hasn't acknowledged yet. */
export class ChangePeer {
  readonly #options: ChangePeerOptions;
  readonly #sender: LineSender;
  readonly #outstanding: Outstanding[] = [];
  #timer: ReturnType<typeof setTimeout> | undefined;
  #pid: number | undefined;
  #isExpelled = false;

  constructor(options: ChangePeerOptions) {
    this.#options = options;
    this.#sender = new LineSender(options.socket);
  }

  get isSubscribed(): boolean {
    return this.#pid !== undefined;
  }

  welcome(pid: number): void {
    this.#pid = pid;
    this.send({ type: "welcome" });
  }

  send(message: ToRedirect): void {
    if (this.#isExpelled) return;
    try {
      this.#sender.send(message);
    } catch {
      this.#expel();
    }
  }

  notify(notice: ChangeNotice): void {
    const dueAt = performance.now() + this.#options.ackTimeoutMs;
    this.#outstanding.push({ n: notice.n, dueAt, done: Promise.withResolvers() });
    this.send({ type: "changes", ...notice });
    if (this.#outstanding.length === 1) this.#watch();
  }

  /** Resolves when everything sent so far is acknowledged, or the process is gone. */
  settled(): Promise<void> | undefined {
    return this.#outstanding.at(-1)?.done.promise;
  }

  acknowledge(n: number): void {
    for (let oldest = this.#outstanding[0]; oldest && oldest.n <= n; oldest = this.#outstanding[0]) {
      oldest.done.resolve();
      this.#outstanding.shift();
    }
    this.#watch();
  }

  drain(): void {
    this.#sender.drain();
  }

  /** The connection has closed, so nobody waits for the process any longer. */
  end(): void {
    this.#isExpelled = true;
    clearTimeout(this.#timer);
    for (const { done } of this.#outstanding.splice(0)) done.resolve();
  }

  #watch(): void {
    if (this.#isExpelled) return;
    clearTimeout(this.#timer);
    const oldest = this.#outstanding[0];
    if (!oldest) return;
    this.#timer = setTimeout(() => this.#suspect(), oldest.dueAt - performance.now() - GRACE_MS);
  }

  /** The timer may be late because this process was, so acknowledgements already in the socket are read first. */
  #suspect(): void {
    this.#timer = setTimeout(() => this.#expel(), GRACE_MS);
  }

  /** Only the closed socket of a killed process proves that it no longer redirects. */
  #expel(): void {
    if (this.#isExpelled) return;
    this.#isExpelled = true;
    clearTimeout(this.#timer);
    const { socket, kill } = this.#options;
    if (this.#pid !== undefined) kill(this.#pid);
    // Without proof in time, its connection is closed: it then checks the change log before each redirect.
    this.#timer = setTimeout(() => socket.terminate(), DEATH_MS_MAX);
  }
}
