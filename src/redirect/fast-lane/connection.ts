import type { Socket } from "bun";
import { IDLE_SECONDS } from "../keep-alive.ts";
import type { CallClient, ControlCall } from "./control-call.ts";
import { Handover, type HandoverClient, type OpenRelay } from "./handover.ts";
import type { HandoverPace, Paced } from "./handover-pace.ts";
import type { HeadKind, HeadScanner } from "./head-scanner.ts";
import { endOfHeads, mayBecomeHead } from "./heads-end.ts";
import { withKnownMethod } from "./methods.ts";
import { SocketWriter } from "./socket-writer.ts";

/** An answer and when it may leave: at once where there is nothing to wait for. */
export interface LaneAnswer {
  readonly text: string;
  readonly written: Promise<void> | undefined;
}

export interface ConnectionOptions {
  readonly scanner: HeadScanner;
  /**
   * Answers the plain head that was just scanned, or nothing where somebody has to look closer; "later" where it has to
   * be read once more after `readAfterRefresh`.
   */
  readonly answer: (clientAddress: () => string) => LaneAnswer | "later" | undefined;
  /** Calls `flush` of the connection when what is known of links is up to date. */
  readonly readAfterRefresh: (connection: Connection) => void;
  /** Takes the head that was just scanned straight to control, where that is the way of it. */
  readonly openCall: (client: CallClient, head: Buffer, clientAddress: () => string) => ControlCall | undefined;
  readonly openRelay: OpenRelay;
  readonly pace: HandoverPace;
  /** Calls `flush` of the connection when the promise settles. */
  readonly flushAfter: (written: Promise<void>, connection: Connection) => void;
  readonly isDraining: () => boolean;
  /** Counts up. */
  readonly nextNumber: () => number;
  /** The connection is the HTTP server's until it is closed. */
  readonly onTunnel: () => void;
  readonly onClose: (connection: Connection) => void;
}

/**
 * `open`: the next request is looked at here. `waiting`: for answers of ours to leave. `queued`: to be passed on.
 * `called`: to control, whose answer is awaited. `handed over`: to the HTTP server, whose answer is awaited. `ended`:
 * nothing follows what was written, and what the client still sends is thrown away, because a connection that is closed
 * over it is reset and may lose the last answer (RFC 9112 §9.6).
 */
type State = "open" | "waiting" | "queued" | "called" | "handed over" | "ended";

// Nobody holds up the others by sending many requests at once, or fills the memory with answers that nobody takes.
const REQUESTS_PER_TURN_MAX = 64;
const ANSWER_BYTES_PER_TURN_MAX = 64 * 1024;
const UNREAD_BYTES_MAX = 64 * 1024;
const HEAD_TICKS_MAX = 10;
const UNREAD_ANSWER_TICKS_MAX = 10;
const ENDED_TICKS_MAX = 2;
const UNSENT_TICKS_MAX = 60;
/** Apart by more than there will ever be requests. */
const [UNFINISHED, IDLE, NEW] = [3 * 2 ** 50, 2 * 2 ** 50, 2 ** 50];
const NOTHING: Buffer = Buffer.alloc(0);

/** A client's connection: answers short links itself and passes every other request on, to control or the HTTP server. */
export class Connection implements HandoverClient, CallClient, Paced {
  readonly #options: ConnectionOptions;
  readonly #socket: Socket<Connection>;
  readonly #writer: SocketWriter<Connection>;
  readonly #handover: Handover;
  #call: ControlCall | undefined;
  readonly #clientAddress = (): string => this.address;
  readonly address: string;
  #state: State = "open";
  /** Received and not looked at yet. */
  #unread = NOTHING;
  #answers = "";
  /** No request after this one is answered. */
  #isLast = false;
  #isLeaving = false;
  #hasClientEnded = false;
  #isPaused = false;
  #hasAsked = false;
  /** The number that it got when it came, or with its last request. */
  #seenAs: number;
  #idleTicks = 0;

  constructor(socket: Socket<Connection>, address: string, options: ConnectionOptions) {
    this.#socket = socket;
    this.address = address;
    this.#seenAs = options.nextNumber();
    this.#options = options;
    this.#writer = new SocketWriter(socket);
    this.#handover = new Handover(this, options.openRelay);
  }

  onData(bytes: Buffer): void {
    if (this.#state === "ended") return;
    // A client that takes no answers, or does not come to the end of its head, is not busy, whatever it sends.
    if (!this.#writer.isFull && !this.#isUnfinished) this.#idleTicks = 0;
    if (this.#state === "open") this.#read(this.#unread.length === 0 ? bytes : Buffer.concat([this.#unread, bytes]));
    else if (this.#state === "called") this.#keep(this.#call?.receive(bytes) ?? bytes);
    else this.#keep(this.#state === "handed over" ? this.#handover.send(bytes) : bytes);
  }

  /** The client will send no more, but may wait for answers. */
  onEnd(): void {
    this.#hasClientEnded = true;
    if (this.#state === "open") this.#socket.end();
    else if (this.#state === "handed over") this.#handover.finish();
    else if (this.#call?.isWhole === false) this.#end();
  }

  onDrain(): void {
    this.#idleTicks = 0;
    if (!this.#writer.drain()) return;
    this.#handover.resume();
    this.#call?.resume();
    if (this.#state === "waiting" && this.#answers === "") this.#goOn();
  }

  onClose(): void {
    this.#state = "ended";
    this.#options.pace.forget(this);
    this.#dropPassed();
    this.#options.onClose(this);
  }

  /** Our answers may leave. */
  flush(): void {
    if (this.#state !== "waiting") return;
    const answers = this.#answers;
    this.#answers = "";
    this.#writer.write(answers);
    if (!this.#writer.isFull) this.#goOn();
  }

  /** Called every second. */
  tick(): void {
    this.#handover.tick();
    this.#call?.tick();
    this.#idleTicks += 1;
    const ticksMax = this.#idleTicksMax();
    if (ticksMax === undefined) this.#idleTicks = 0;
    else if (this.#idleTicks > ticksMax) {
      if (this.#state === "open") this.#socket.end();
      else this.terminate();
    }
  }

  /** Which of all should go first where descriptors run out; 0 for those that must not. */
  get dispensability(): number {
    return this.#isBusy ? 0 : this.#dispensabilityOfKind - this.#seenAs;
  }

  shed(): void {
    this.#socket.end();
  }

  /** Closes it as soon as no request is under way. */
  leave(): void {
    this.#isLeaving = true;
    if (this.#state === "open" && this.#unread.length === 0) this.#socket.end();
  }

  terminate(): void {
    this.#socket.terminate();
  }

  onAnswer(bytes: Buffer): boolean {
    this.#writer.write(bytes);
    return !this.#writer.isFull;
  }

  onAnswered(isLast = false): void {
    this.#call = undefined;
    this.#isLast ||= isLast;
    if (this.#writer.isFull) this.#state = "waiting";
    else this.#goOn();
  }

  onTurn(): void {
    this.#state = "open";
    this.#read(this.#takeUnread(), true);
  }

  get isTunnel(): boolean {
    return this.#handover.isTunnel;
  }

  onTunnel(): void {
    this.#options.onTunnel();
    this.#keep(this.#handover.send(this.#takeUnread()));
  }

  onRoom(): void {
    this.#pauseOrResume();
  }

  onServerEnd(): void {
    this.#end();
  }

  /** `isTurn`: its first request may be handed over. */
  #read(bytes: Buffer, isTurn = false): void {
    const { scanner, answer, flushAfter, readAfterRefresh } = this.#options;
    this.#unread = NOTHING;
    const headsEnd = endOfHeads(bytes);
    let isLater = false;
    let written: Promise<void> | undefined;
    let at = 0;
    for (let requests = 0; at < bytes.length && !this.#isLast; requests += 1) {
      if (requests === REQUESTS_PER_TURN_MAX || this.#answers.length > ANSWER_BYTES_PER_TURN_MAX) {
        this.#unread = bytes.subarray(at);
        break;
      }
      const kind = this.#scan(bytes, at, headsEnd);
      const own = kind === "plain" ? answer(this.#clientAddress) : undefined;
      if (own === "later") {
        isLater = true;
        this.#unread = bytes.subarray(at);
        break;
      }
      if (own === undefined) {
        // Answers leave in the order of their requests.
        if (this.#answers !== "") this.#unread = bytes.subarray(at);
        else if (kind === "partial") this.#awaitRest(bytes.subarray(at));
        else if (isTurn || this.#options.pace.take()) this.#pass(bytes.subarray(at), kind, scanner.end - at);
        else this.#queue(bytes.subarray(at));
        break;
      }
      this.#answers += own.text;
      written = own.written ?? written;
      at = scanner.end;
      this.#isLast = scanner.isLast || this.#options.isDraining();
    }
    if (this.#answers === "" && !isLater) return;
    this.#state = "waiting";
    if (this.#answers === "") readAfterRefresh(this);
    else if (written === undefined) this.flush();
    else flushAfter(written, this);
  }

  /** The start of a head whose rest is not worth waiting for is odd. */
  #scan(bytes: Buffer, at: number, headsEnd: number): HeadKind | "partial" {
    const kind = at < headsEnd ? this.#options.scanner.scan(bytes, at) : "partial";
    if (kind === "partial") return mayBecomeHead(bytes.subarray(at)) ? "partial" : "odd";
    this.#hasAsked = true;
    this.#seenAs = this.#options.nextNumber();
    this.#idleTicks = 0;
    return kind;
  }

  #awaitRest(bytes: Buffer): void {
    if (this.#hasClientEnded) this.#end();
    else this.#unread = bytes;
  }

  #queue(bytes: Buffer): void {
    this.#state = "queued";
    this.#unread = bytes;
    this.#options.pace.wait(this);
  }

  #pass(bytes: Buffer, kind: HeadKind, headBytes: number): void {
    const head = bytes.subarray(0, headBytes);
    this.#call = kind === "odd" ? undefined : this.#options.openCall(this, head, this.#clientAddress);
    if (this.#call === undefined) {
      this.#handOver(bytes, kind, headBytes);
      return;
    }
    this.#state = "called";
    this.#keep(this.#call.start(bytes.subarray(headBytes)));
    if (this.#hasClientEnded && !this.#call.isWhole) this.#end();
  }

  #handOver(received: Buffer, kind: HeadKind, headBytes: number): void {
    const { scanner } = this.#options;
    const bytes = withKnownMethod(received);
    this.#state = "handed over";
    if (kind === "odd") this.#handover.startTunnel();
    else {
      this.#isLast = scanner.isLast;
      const requestBytes = headBytes + scanner.bodyBytes + bytes.length - received.length;
      this.#handover.startRequest(requestBytes, scanner.isHead);
    }
    this.#keep(this.#handover.send(bytes));
    if (this.#hasClientEnded) this.#handover.finish();
  }

  #keep(bytes: Buffer): void {
    if (bytes.length > 0) this.#unread = Buffer.concat([this.#unread, bytes]);
    this.#pauseOrResume();
  }

  #takeUnread(): Buffer {
    const bytes = this.#unread;
    this.#unread = NOTHING;
    return bytes;
  }

  #goOn(): void {
    this.#state = "open";
    if (this.#isLast) this.#end();
    else if (this.#unread.length > 0) this.#read(this.#unread);
    else if (this.#hasClientEnded || this.#isLeaving) this.#end();
    this.#pauseOrResume();
  }

  #end(): void {
    this.#state = "ended";
    this.#idleTicks = 0;
    this.#unread = NOTHING;
    this.#dropPassed();
    this.#writer.end();
  }

  /** Nobody waits for answers from elsewhere any more. */
  #dropPassed(): void {
    this.#call?.drop();
    this.#call = undefined;
    this.#handover.drop();
  }

  get #isBusy(): boolean {
    return this.#state !== "open" && this.#state !== "ended" && !this.#isUnfinished;
  }

  get #dispensabilityOfKind(): number {
    if (!this.#isUnfinished) return IDLE;
    // Of those that have just come the head may be on its way, and it mostly comes whole, with its body.
    const hasBegun = this.#state === "called" || this.#unread.length > 0;
    return hasBegun || this.#idleTicks > 1 ? UNFINISHED : NEW;
  }

  /** It has not yet sent a whole request, be it the first one or one that it has begun. */
  get #isUnfinished(): boolean {
    if (this.#state === "called") return this.#call?.isWhole === false;
    return this.#state === "open" && (this.#unread.length > 0 || !this.#hasAsked);
  }

  /** A request that is handed over is in the care of the HTTP server, unless the client does not take the answer. */
  #idleTicksMax(): number | undefined {
    if (this.#state === "open") return this.#isUnfinished ? HEAD_TICKS_MAX : IDLE_SECONDS;
    if (this.#state === "waiting") return UNREAD_ANSWER_TICKS_MAX;
    if (this.#writer.isFull) return UNSENT_TICKS_MAX;
    return this.#state === "ended" ? ENDED_TICKS_MAX : undefined;
  }

  /** A client that sends ahead of its answers, or faster than the HTTP server takes it, is not read for a while. */
  #pauseOrResume(): void {
    const isTooMuch = this.#handover.isFull || this.#unread.length > UNREAD_BYTES_MAX;
    if (isTooMuch === this.#isPaused) return;
    this.#isPaused = isTooMuch;
    if (isTooMuch) this.#socket.pause();
    else this.#socket.resume();
  }
}
