import type { Relay, RelayClient } from "./relay.ts";
import { ResponseEnd } from "./response-end.ts";

export interface HandoverClient {
  readonly address: string;
  /** Returns whether the client takes more for now. */
  onAnswer(bytes: Buffer): boolean;
  /** The answer is complete, and the next request is not handed over yet. */
  onAnswered(): void;
  /** From here on everything is handed over, until the connection ends. */
  onTunnel(): void;
  /** The HTTP server takes more. */
  onRoom(): void;
  /** The HTTP server has closed its connection: nothing follows, be the answer complete or not. */
  onServerEnd(): void;
}

/** `isLast`: after the first answer the HTTP server closes the connection. */
export type OpenRelay = (client: RelayClient, isLast: boolean) => Relay;

type Phase = "idle" | "asked" | "answering";

/** For how many seconds nothing may happen. */
const TICKS_MAX: Readonly<Record<Phase, number>> = {
  // Well below the time after which the HTTP server closes it: a request must not meet a connection that is being closed.
  idle: 4,
  // Above each limit of the HTTP server, which only fails to keep them while it cannot accept the connection.
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
  /** Of the request; without end in a tunnel. */
  #bytesLeft = 0;
  /** Of a tunnel nobody looks for the end of an answer. */
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

  /** One odd request: where it ends only the HTTP server can tell, so that no other follows on the connection. */
  startTunnel(): void {
    // On a new connection the limits of a first request hold, not those of one that is kept.
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

  /** The client will send no more. */
  finish(): void {
    this.#hasClientEnded = true;
    this.#relay?.finish();
  }

  /** The client takes more of the answer. */
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
      // Nobody has asked for it.
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
    // It was told that nothing follows.
    if (this.#hasClientEnded) this.drop();
    this.#client.onAnswered();
  }
}
