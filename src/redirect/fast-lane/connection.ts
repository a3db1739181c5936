import type { Socket } from "bun";
import type { HeadKind, HeadScanner } from "./head-scanner.ts";
import { HEAD_OCTETS_MAX } from "./head-scanner.ts";
import { endOfHeads, isMethodStart } from "./heads-end.ts";
import { Outlet } from "./outlet.ts";
import type { Relay, RelayClient } from "./relay.ts";
import { type Progress, ResponseEnd } from "./response-end.ts";

/** An answer and when it may leave: at once where there is nothing to wait for. */
export interface LaneAnswer {
  readonly text: string;
  readonly written: Promise<void> | undefined;
}

export interface ConnectionOptions {
  readonly scanner: HeadScanner;
  /** Answers the plain head that was just scanned, or nothing where somebody has to look closer. */
  readonly answer: (clientAddress: () => string) => LaneAnswer | undefined;
  readonly openRelay: (client: RelayClient) => Relay;
  /** Calls `flush` of the connection when the promise settles. */
  readonly flushAfter: (written: Promise<void>, connection: Connection) => void;
  readonly isDraining: () => boolean;
  readonly onClose: (connection: Connection) => void;
}

/**
 * `open`: the next request is looked at here. `waiting`: for answers of ours to leave. `aside`: one request was handed
 * over and the connection comes back with its answer. `tunnel`: everything is handed over until the connection ends.
 * `ended`: what was written last is on its way, and the client's end of the connection is awaited.
 */
type State = "open" | "waiting" | "aside" | "tunnel" | "ended";

// After that the HTTP server gets what there is of a head, and with it the care of slow clients.
const PARTIAL_MS_MAX = 200;
// Nobody holds up the others by sending many requests at once.
const REQUESTS_PER_TURN_MAX = 64;
const UNREAD_OCTETS_MAX = 64 * 1024;
const IDLE_TICKS_MAX = 10;
const ENDED_TICKS_MAX = 2;
const UNSENT_TICKS_MAX = 60;
// Well below the time after which the HTTP server closes it: a request must not meet a connection that is being closed.
const RELAY_IDLE_TICKS_MAX = 4;
const NOTHING: Buffer = Buffer.alloc(0);

/** A client's connection: answers short links itself and hands every other request to the HTTP server. */
export class Connection implements RelayClient {
  readonly #options: ConnectionOptions;
  readonly #socket: Socket<Connection>;
  readonly #outlet: Outlet<Connection>;
  readonly #clientAddress = (): string => this.address;
  #address: string | undefined;
  #state: State = "open";
  /** Received and not looked at yet. */
  #unread = NOTHING;
  #answers = "";
  /** No request after this one is answered. */
  #isLast = false;
  #hasClientEnded = false;
  #isPaused = false;
  #idleTicks = 0;
  #relayIdleTicks = 0;
  #partialTimer: ReturnType<typeof setTimeout> | undefined;
  #relay: Relay | undefined;
  #response = new ResponseEnd(false);
  #bodyOctetsLeft = 0;

  constructor(socket: Socket<Connection>, options: ConnectionOptions) {
    this.#socket = socket;
    this.#options = options;
    this.#outlet = new Outlet(socket);
  }

  /** Asked once: that is a system call. */
  get address(): string {
    this.#address ??= this.#socket.remoteAddress;
    return this.#address;
  }

  onData(bytes: Buffer): void {
    this.#idleTicks = 0;
    if (this.#state === "open") this.#read(this.#unread.length === 0 ? bytes : Buffer.concat([this.#unread, bytes]));
    else if (this.#state === "tunnel") this.#send(bytes);
    else if (this.#bodyOctetsLeft > 0) this.#sendBody(bytes);
    else if (this.#state !== "ended") this.#keep(bytes);
  }

  /** The client will send no more, but may wait for answers. */
  onEnd(): void {
    this.#hasClientEnded = true;
    if (this.#state === "open") this.#end();
    else if (this.#state === "aside" || this.#state === "tunnel") this.#relay?.finish();
  }

  onDrain(): void {
    this.#idleTicks = 0;
    if (!this.#outlet.drain()) return;
    this.#relay?.resume();
    if (this.#state === "waiting" && this.#answers === "") this.#goOn();
  }

  onClose(): void {
    this.#state = "ended";
    this.#stopPartialTimer();
    this.#dropRelay();
    this.#options.onClose(this);
  }

  /** Our answers may leave. */
  flush(): void {
    if (this.#state !== "waiting") return;
    const answers = this.#answers;
    this.#answers = "";
    this.#outlet.write(answers);
    if (!this.#outlet.isFull) this.#goOn();
  }

  /** Called every second. */
  tick(): void {
    if (this.#state === "aside" || this.#state === "tunnel") return;
    this.#idleTicks += 1;
    this.#relayIdleTicks += 1;
    if (this.#relayIdleTicks > RELAY_IDLE_TICKS_MAX) this.#dropRelay();
    if (this.#state === "ended") {
      if (this.#idleTicks > (this.#outlet.isFull ? UNSENT_TICKS_MAX : ENDED_TICKS_MAX)) this.terminate();
    } else if (this.#idleTicks > IDLE_TICKS_MAX) {
      if (this.#state === "open") this.#end();
      else this.terminate();
    }
  }

  /** Closes it unless a request is under way, whose answer then closes it. */
  leave(): void {
    if (this.#state === "open" && this.#unread.length === 0) this.#end();
  }

  terminate(): void {
    this.#socket.terminate();
  }

  onAnswer(bytes: Buffer): void {
    if (this.#state !== "aside" && this.#state !== "tunnel") {
      // Nobody has asked for it.
      this.#dropRelay();
      return;
    }
    this.#outlet.write(bytes);
    if (this.#outlet.isFull) this.#relay?.pause();
    if (this.#state === "aside") this.#follow(this.#response.pass(bytes));
  }

  onRelayDrain(): void {
    if (this.#unread.length <= UNREAD_OCTETS_MAX) this.#resume();
  }

  onRelayEnd(): void {
    this.#relay = undefined;
    if (this.#state === "aside" || this.#state === "tunnel") this.#end();
  }

  #follow(progress: Progress): void {
    if (progress === "under way") return;
    if (progress === "until close" || this.#bodyOctetsLeft > 0) {
      this.#state = "tunnel";
      this.#bodyOctetsLeft = 0;
      this.#send(this.#takeUnread());
      return;
    }
    this.#relayIdleTicks = 0;
    if (this.#outlet.isFull) this.#state = "waiting";
    else this.#goOn();
  }

  #read(bytes: Buffer): void {
    const { scanner, answer, flushAfter } = this.#options;
    this.#unread = NOTHING;
    const headsEnd = endOfHeads(bytes);
    let written: Promise<void> | undefined;
    let at = 0;
    for (let requests = 0; at < bytes.length && !this.#isLast; requests += 1) {
      if (requests === REQUESTS_PER_TURN_MAX) {
        this.#unread = bytes.subarray(at);
        break;
      }
      const kind = at < headsEnd ? scanner.scan(bytes, at) : "partial";
      if (kind !== "partial") this.#stopPartialTimer();
      const own = kind === "plain" ? answer(this.#clientAddress) : undefined;
      if (own === undefined) {
        // Answers leave in the order of their requests.
        if (this.#answers !== "") this.#unread = bytes.subarray(at);
        else if (kind === "partial") this.#awaitRest(bytes.subarray(at));
        else this.#handOver(bytes.subarray(at), kind, scanner.end - at);
        break;
      }
      this.#answers += own.text;
      written = own.written ?? written;
      at = scanner.end;
      this.#isLast = scanner.isLast || this.#options.isDraining();
    }
    if (this.#answers === "") return;
    this.#state = "waiting";
    if (written === undefined) this.flush();
    else flushAfter(written, this);
  }

  #awaitRest(bytes: Buffer): void {
    if (bytes.length > HEAD_OCTETS_MAX || !isMethodStart(bytes[0] ?? 0)) {
      this.#handOver(bytes, "odd", 0);
      return;
    }
    if (this.#hasClientEnded) {
      this.#end();
      return;
    }
    this.#unread = bytes;
    // From the first part of the head on, however often another one comes.
    this.#partialTimer ??= setTimeout(() => this.#handOver(this.#takeUnread(), "odd", 0), PARTIAL_MS_MAX);
  }

  #handOver(bytes: Buffer, kind: HeadKind, headOctets: number): void {
    this.#relay ??= this.#options.openRelay(this);
    this.#passOn(bytes, kind, headOctets);
    if (this.#hasClientEnded) this.#relay.finish();
  }

  #passOn(bytes: Buffer, kind: HeadKind, headOctets: number): void {
    if (kind === "odd") {
      this.#stopPartialTimer();
      this.#state = "tunnel";
      this.#send(bytes);
      return;
    }
    const { scanner } = this.#options;
    this.#state = "aside";
    this.#isLast = scanner.isLast;
    this.#response = new ResponseEnd(scanner.isHead);
    this.#bodyOctetsLeft = headOctets + scanner.bodyOctets;
    this.#sendBody(bytes);
  }

  #sendBody(bytes: Buffer): void {
    const body = bytes.subarray(0, this.#bodyOctetsLeft);
    this.#bodyOctetsLeft -= body.length;
    this.#send(body);
    if (bytes.length > body.length) this.#keep(bytes.subarray(body.length));
  }

  #send(bytes: Buffer): void {
    if (bytes.length > 0) this.#relay?.send(bytes);
    if (this.#relay?.isFull) this.#pause();
  }

  /** A client that sends ahead of its answers is not read any more, beyond some room. */
  #keep(bytes: Buffer): void {
    this.#unread = Buffer.concat([this.#unread, bytes]);
    if (this.#unread.length > UNREAD_OCTETS_MAX) this.#pause();
  }

  #takeUnread(): Buffer {
    const bytes = this.#unread;
    this.#unread = NOTHING;
    return bytes;
  }

  #goOn(): void {
    this.#state = "open";
    this.#resume();
    if (this.#isLast) this.#end();
    else if (this.#unread.length > 0) this.#read(this.#unread);
    else if (this.#hasClientEnded) this.#end();
  }

  #end(): void {
    this.#state = "ended";
    this.#idleTicks = 0;
    this.#stopPartialTimer();
    this.#outlet.end();
  }

  #stopPartialTimer(): void {
    clearTimeout(this.#partialTimer);
    this.#partialTimer = undefined;
  }

  #dropRelay(): void {
    this.#relay?.drop();
    this.#relay = undefined;
  }

  #pause(): void {
    if (this.#isPaused) return;
    this.#isPaused = true;
    this.#socket.pause();
  }

  #resume(): void {
    if (!this.#isPaused) return;
    this.#isPaused = false;
    this.#socket.resume();
  }
}
