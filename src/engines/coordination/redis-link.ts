import { Redis } from "ioredis";
import { backoffMs } from "#kernel/backoff.ts";
import type { RedisAddress } from "./redis-address.ts";
import { RedisScript } from "./redis-script.ts";

export interface RedisLinkOptions {
  readonly address: RedisAddress;
  /** How long the server may take to answer before it counts as away. */
  readonly answerMsMax?: number;
  /** The server went away, for a reason, or came back; not called for a first connection that succeeds. */
  readonly onChange: (isUp: boolean, problem: string | null) => void;
}

export interface RedisListener {
  /** Channels to subscribe to before a connection counts as up. */
  channels(): readonly string[];
  onMessage(channel: string, text: string): void;
  /** From now on messages arrive again; earlier ones may have been missed. */
  onResumed(): void;
}

/** There is no working connection: each node has to decide for itself. */
export class RedisAway extends Error {}

interface Waiting {
  readonly sentAt: number;
  readonly fail: (error: Error) => void;
}

const ANSWER_MS_MAX = 500;
// Answers that already wait in the socket are read first, in case it is this process that was late.
const GRACE_MS = 50;
const HEARTBEAT_MS = 1000;
const RETRY_MS_FIRST = 100;
const RETRY_MS_MAX = 1000;
/** What more calls than this wait for is a server that can't keep up. */
const WAITING_MAX = 10_000;

/** A connection that lasted this long worked: the next attempt after it comes at once. */
const LASTING_MS = 10_000;

// Shows that scripts may run, write and publish, which a server out of memory or a replica refuses.
const PROOF = new RedisScript(`
redis.call('SET', KEYS[1], '1', 'PX', 1000)
return redis.call('PUBLISH', KEYS[1], '')
`);

/**
 * One connection for commands and messages (RESP3), given up as soon as it doesn't answer in time. Calls then fail at
 * once, until a new connection has proven to work.
 */
export class RedisLink {
  readonly #options: RedisLinkOptions;
  readonly #answerMsMax: number;
  // In the order of sending, which is the order of the answers.
  readonly #waiting = new Set<Waiting>();
  readonly #firstAttempt = Promise.withResolvers<void>();
  #listener: RedisListener | null = null;
  #current: Redis | null = null;
  #connecting: Redis | null = null;
  #isReportedUp = true;
  #isClosed = false;
  #failures = 0;
  #upSince = 0;
  #retry: ReturnType<typeof setTimeout> | undefined;
  #watch: ReturnType<typeof setTimeout> | undefined;
  #heartbeat: ReturnType<typeof setInterval> | undefined;

  constructor(options: RedisLinkOptions) {
    this.#options = options;
    this.#answerMsMax = options.answerMsMax ?? ANSWER_MS_MAX;
  }

  get isUp(): boolean {
    return this.#current !== null;
  }

  /** Resolves after the first attempt to connect, whether it succeeded or not. */
  open(listener: RedisListener): Promise<void> {
    this.#listener = listener;
    void this.#connect();
    return this.#firstAttempt.promise;
  }

  run(script: RedisScript, keys: readonly string[], values: readonly (string | number)[]): Promise<unknown> {
    return this.call((redis) => script.run(redis, keys, values));
  }

  /** Rejects at once if the server is away, and otherwise as soon as it turns out to be. */
  call<T>(send: (redis: Redis) => Promise<T>): Promise<T> {
    const redis = this.#current;
    if (!redis) return Promise.reject(new RedisAway("not connected"));
    if (this.#waiting.size >= WAITING_MAX) return Promise.reject(new RedisAway("too many calls wait for an answer"));
    return new Promise((resolve, reject) => {
      const waiting: Waiting = { sentAt: performance.now(), fail: reject };
      this.#waiting.add(waiting);
      if (this.#watch === undefined) this.#lookIn(this.#answerMsMax);
      send(redis).then(
        (answer) => {
          this.#waiting.delete(waiting);
          resolve(answer);
        },
        (error: Error) => {
          this.#waiting.delete(waiting);
          reject(error);
          // Even if it is the server that refuses: it would refuse the next call as well.
          this.#lose(redis, error);
        },
      );
    });
  }

  async close(): Promise<void> {
    this.#isClosed = true;
    clearTimeout(this.#retry);
    this.#connecting?.disconnect();
    const redis = this.#current;
    if (redis) this.#lose(redis, new RedisAway("closed"));
  }

  async #connect(): Promise<void> {
    const redis = new Redis({
      ...this.#options.address.options,
      protocol: 3,
      connectionName: "kurz",
      disableClientInfo: true,
      lazyConnect: true,
      connectTimeout: 2 * this.#answerMsMax,
      // Closing waits for nobody: the server may hang.
      disconnectTimeout: 0,
      enableOfflineQueue: false,
      // Connections are made here, and each is a new object: nothing of a lost one piles up.
      retryStrategy: null,
      autoResubscribe: false,
      maxRetriesPerRequest: 0,
    });
    this.#connecting = redis;
    let problem: Error | null = null;
    redis.on("error", (error: Error) => {
      problem ??= error;
    });
    // A server that accepts connections may still hang, also in the middle of the handshake.
    const deadline = setTimeout(() => {
      problem ??= new Error(`no answer within ${3 * this.#answerMsMax} ms`);
      redis.disconnect();
    }, 3 * this.#answerMsMax);
    try {
      await redis.connect();
      redis.on("message", (channel: string, text: string) => this.#listener?.onMessage(channel, text));
      await PROOF.run(redis, [`${this.#options.address.prefix}:proof`], []);
      await this.#subscribe(redis);
      if (this.#isClosed) throw new RedisAway("closed");
      this.#use(redis, () => problem);
    } catch (error) {
      redis.disconnect();
      if (!this.#isClosed) this.#tryAgain(problem ?? error);
    } finally {
      clearTimeout(deadline);
      this.#connecting = null;
      this.#firstAttempt.resolve();
    }
  }

  /** Also to channels that are added meanwhile. */
  async #subscribe(redis: Redis): Promise<void> {
    const subscribed = new Set<string>();
    for (;;) {
      const missing = (this.#listener?.channels() ?? []).filter((channel) => !subscribed.has(channel));
      if (missing.length === 0) return;
      await redis.subscribe(...missing);
      for (const channel of missing) subscribed.add(channel);
    }
  }

  #use(redis: Redis, problem: () => Error | null): void {
    this.#current = redis;
    this.#upSince = performance.now();
    redis.once("close", () => this.#lose(redis, problem() ?? new Error("the connection was closed")));
    this.#heartbeat = setInterval(() => {
      this.call((current) => current.ping()).catch(() => {});
    }, HEARTBEAT_MS);
    this.#report(true, null);
    this.#listener?.onResumed();
  }

  #lookIn(ms: number): void {
    const dueAt = performance.now() + ms;
    this.#watch = setTimeout(() => this.#look(performance.now() - dueAt), ms);
  }

  #look(lateMs: number): void {
    this.#watch = undefined;
    const [oldest] = this.#waiting;
    if (!oldest) return;
    const leftMs = oldest.sentAt + this.#answerMsMax - performance.now();
    // This process was late itself, and may not even have sent what it waits for: that says nothing about the server.
    if (leftMs > 0 || lateMs > this.#answerMsMax / 2) {
      this.#lookIn(leftMs > 0 ? leftMs : this.#answerMsMax);
      return;
    }
    const redis = this.#current;
    this.#watch = setTimeout(() => {
      this.#watch = undefined;
      if (this.#waiting.has(oldest) && redis) this.#lose(redis, new Error(`no answer within ${this.#answerMsMax} ms`));
      else this.#look(0);
    }, GRACE_MS);
  }

  #lose(redis: Redis, error: Error): void {
    if (this.#current !== redis) return;
    this.#current = null;
    if (performance.now() - this.#upSince > LASTING_MS) this.#failures = 0;
    clearInterval(this.#heartbeat);
    clearTimeout(this.#watch);
    this.#watch = undefined;
    redis.disconnect();
    const waiting = [...this.#waiting];
    this.#waiting.clear();
    for (const { fail } of waiting) fail(new RedisAway(error.message));
    if (!this.#isClosed) this.#tryAgain(error);
  }

  #tryAgain(error: unknown): void {
    this.#report(false, error instanceof Error ? error.message : String(error));
    this.#failures += 1;
    const ms = backoffMs(this.#failures, RETRY_MS_FIRST, RETRY_MS_MAX);
    this.#retry = setTimeout(() => void this.#connect(), ms);
  }

  #report(isUp: boolean, problem: string | null): void {
    if (this.#isReportedUp === isUp) return;
    this.#isReportedUp = isUp;
    this.#options.onChange(isUp, problem);
  }
}
