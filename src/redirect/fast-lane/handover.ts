import type { Relay, RelayClient } from "./relay.ts";
import { ResponseEnd } from "./response-end.ts";

export interface HandoverClient {
  readonly address: string;
  /** Returns whether the client can take more now. */
  onAnswer(bytes: Buffer): boolean;
  /** The answer is complete, and the next request is not handed over yet. */
  onAnswered(): void;
  /** From now on everything is handed over, until the connection ends. */
  onTunnel(): void;
  /** The HTTP server can take more. */
  onRoom(): void;
  /** The HTTP server closed its connection, whether or not the answer is complete. */
  onServerEnd(): void;
}

/** `isLast`: the HTTP server closes the connection after the first answer. */
export type OpenRelay = (client: RelayClient, isLast: boolean) => Relay;

type Phase = "idle" | "asked" | "answering";

/** How many seconds may pass without activity. */
const TICKS_MAX: Readonly<Record<Phase, number>> = {
  // Well below the idle timeout of the HTTP server, so no request is sent on a connection that is being closed.
  idle: 4,
  // Above every timeout of the HTTP server, which only misses them while it can't accept the connection.
  asked: 60,
  answering: Number.POSITIVE_INFINITY,
};

/** What a connection hands to the HTTP server: one request at a time, or everything until it ends. */
export class Handover implements RelayClient {
  readonly #client: HandoverClient;
  readonly #openRelay: OpenRelay;
  #relay: Relay | undefined;
  #phase: Phase = "idle";
  #ticks = 0;
  /** Left of the request; infinite in a tunnel. */
  #bytesLeft = 0;
  /** Undefined in a tunnel, where answers have no known end. */
  #response: ResponseEnd | undefined;
  #hasClientEnded = false;

  constructor(client: HandoverClient, openRelay: OpenRelay) {
    this.#client = client;
    this.#openRelay = openRelay;
  }

  get address(): string {
    return this.#client.address;
  }

  get isFull(): boolean {
    return this.#relay?.isFull ?? false;
  }

  get isTunnel(): boolean {
    return this.#bytesLeft === Number.POSITIVE_INFINITY;
  }

  startRequest(byteCount: number, isHead: boolean): void {
    this.#start(byteCount, new ResponseEnd(isHead));
  }

  /** Only the HTTP server knows where an odd request ends, so no other can follow on the connection. */
  startTunnel(): void {
    // A new connection gets the time limits of a first request instead of those of a reused one.
    this.drop();
    this.#relay = this.#openRelay(this, true);
    this.#start(0, undefined);
    this.#becomeTunnel();
  }

  /** Sends what belongs to the request and returns the rest. */
  send(bytes: Buffer): Buffer {
    const own = bytes.subarray(0, this.#bytesLeft);
    this.#bytesLeft -= own.length;
    this.#ticks = 0;
    if (own.length > 0) this.#relay?.send(own);
    return bytes.subarray(own.length);
  }

  /** The client has stopped sending. */
  finish(): void {
    this.#hasClientEnded = true;
    this.#relay?.finish();
  }

  /** The client can take more of the answer. */
  resume(): void {
    this.#relay?.resume();
  }

  drop(): void {
    this.#relay?.drop();
    this.#relay = undefined;
    this.#client.onRoom();
  }

  /** Called every second. */
  tick(): void {
    this.#ticks += 1;
    if (this.#relay === undefined || this.#ticks <= TICKS_MAX[this.#phase]) return;
    this.drop();
    this.onRelayEnd();
  }

  onAnswer(bytes: Buffer): void {
    if (this.#phase === "idle") {
      // There was no request.
      this.drop();
      return;
    }
    this.#phase = "answering";
    if (!this.#client.onAnswer(bytes)) this.#relay?.pause();
    const progress = this.#response?.pass(bytes) ?? "under way";
    if (progress === "under way") return;
    if (progress === "complete" && this.#bytesLeft === 0) this.#end();
    else this.#becomeTunnel();
  }

  onRelayDrain(): void {
    this.#client.onRoom();
  }

  onRelayEnd(): void {
    this.#relay = undefined;
    const isAwaited = this.#phase !== "idle";
    this.#phase = "idle";
    if (isAwaited) this.#client.onServerEnd();
    else this.#client.onRoom();
  }

  #start(byteCount: number, response: ResponseEnd | undefined): void {
    this.#relay ??= this.#openRelay(this, false);
    this.#phase = "asked";
    this.#ticks = 0;
    this.#bytesLeft = byteCount;
    this.#response = response;
  }

  #becomeTunnel(): void {
    this.#bytesLeft = Number.POSITIVE_INFINITY;
    this.#response = undefined;
    this.#client.onTunnel();
  }

  #end(): void {
    this.#phase = "idle";
    this.#ticks = 0;
    // Its sending side was closed, so it can't be reused.
    if (this.#hasClientEnded) this.drop();
    this.#client.onAnswered();
  }
}
