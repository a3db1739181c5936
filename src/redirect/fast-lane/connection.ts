import type { Socket } from "bun";
import type { ConnectionState } from "./connection-state.ts";
import { idleTicksMax, type Use } from "./connection-timeouts.ts";
import type { CallClient, ControlCall } from "./control-call.ts";
import { Handover, type HandoverClient, type OpenRelay } from "./handover.ts";
import type { HandoverPace, Paced } from "./handover-pace.ts";
import type { HeadKind, HeadScanner } from "./head-scanner.ts";
import { endOfHeads, mayBecomeHead } from "./heads-end.ts";
import { withKnownMethod } from "./methods.ts";
import type { Sheddable } from "./shedding.ts";
import { SocketWriter } from "./socket-writer.ts";

/** An answer, and what it has to wait for before it is sent. */
export interface LaneAnswer {
  readonly text: string;
  readonly written: Promise<void> | undefined;
}

export interface ConnectionOptions {
  readonly scanner: HeadScanner;
  /**
   * Answers the plain head that was just scanned. Returns nothing if the request has to be passed on, and "later" if it
   * has to be read again after `readAfterRefresh`.
   */
  readonly answer: (clientAddress: () => string) => LaneAnswer | "later" | undefined;
  /** Calls the connection's `flush` once the link cache is up to date. */
  readonly readAfterRefresh: (connection: Connection) => void;
  /** Sends the request whose head was just scanned straight to control, if it may go there. */
  readonly openCall: (client: CallClient, head: Buffer, clientAddress: () => string) => ControlCall | undefined;
  readonly openRelay: OpenRelay;
  readonly pace: HandoverPace;
  /** Calls the connection's `flush` when the promise settles. */
  readonly flushAfter: (written: Promise<void>, connection: Connection) => void;
  readonly isDraining: () => boolean;
  /** See `Sheddable.lastSeenNo`. */
  readonly nextSeenNo: () => number;
  /** From now on everything the client sends goes to the HTTP server. */
  readonly onTunnel: () => void;
  readonly onClose: (connection: Connection) => void;
}

// A client that sends many requests at once must not delay others or fill the memory with answers that it doesn't read.
const REQUESTS_PER_READ_MAX = 64;
const ANSWER_BYTES_PER_READ_MAX = 64 * 1024;
const UNREAD_BYTES_MAX = 64 * 1024;
const NOTHING: Buffer = Buffer.alloc(0);

/** A client connection: answers short links itself and passes other requests on, to control or the HTTP server. */
export class Connection implements HandoverClient, CallClient, Paced, Sheddable {
  readonly #options: ConnectionOptions;
  readonly #socket: Socket<Connection>;
  readonly #writer: SocketWriter<Connection>;
  readonly #handover: Handover;
  #call: ControlCall | undefined;
  readonly #clientAddress = (): string => this.address;
  readonly address: string;
  #state: ConnectionState = "open";
  /** Received, but not processed yet. */
  #unread = NOTHING;
  #answers = "";
  /** The connection is closed after the current answer. */
  #isLast = false;
  #isLeaving = false;
  #hasClientEnded = false;
  #isPaused = false;
  #hasSentRequest = false;
  #lastSeenNo: number;
  #idleTicks = 0;

  constructor(socket: Socket<Connection>, address: string, options: ConnectionOptions) {
    this.#socket = socket;
    this.address = address;
    this.#lastSeenNo = options.nextSeenNo();
    this.#options = options;
    this.#writer = new SocketWriter(socket);
    this.#handover = new Handover(this, options.openRelay);
  }

  onData(bytes: Buffer): void {
    if (this.#state === "ended") return;
    // Sending bytes isn't activity if the client doesn't read its answers or never completes its request.
    if (!this.#writer.isFull && this.#use !== "unfinished") this.#idleTicks = 0;
    if (this.#state === "open") this.#read(this.#unread.length === 0 ? bytes : Buffer.concat([this.#unread, bytes]));
    else if (this.#state === "called") this.#keep(this.#call?.receive(bytes) ?? bytes);
    else this.#keep(this.#state === "handed over" ? this.#handover.send(bytes) : bytes);
  }

  /** The client has stopped sending, but may still wait for answers. */
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
    if (this.#state === "waiting" && this.#answers === "") this.#continue();
  }

  onClose(): void {
    this.#state = "ended";
    this.#options.pace.forget(this);
    this.#dropForwarded();
    this.#options.onClose(this);
  }

  /** Sends our own answers. */
  flush(): void {
    if (this.#state !== "waiting") return;
    const answers = this.#answers;
    this.#answers = "";
    this.#writer.write(answers);
    if (!this.#writer.isFull) this.#continue();
  }

  /** Called every second. */
  tick(): void {
    this.#handover.tick();
    this.#call?.tick();
    this.#idleTicks += 1;
    const ticksMax = idleTicksMax(this.#state, this.#use, this.#writer.isFull);
    if (ticksMax === undefined) this.#idleTicks = 0;
    else if (this.#idleTicks > ticksMax) {
      if (this.#state === "open") this.#socket.end();
      else this.terminate();
    }
  }

  get isBusy(): boolean {
    return this.#state !== "open" && this.#state !== "ended" && !this.isUnfinished;
  }

  get isUnfinished(): boolean {
    if (this.#state === "called") return this.#call?.isWhole === false;
    return this.#state === "open" && (this.#unread.length > 0 || !this.#hasSentRequest);
  }

  get isNew(): boolean {
    return this.#use === "unused" && this.#idleTicks <= 1;
  }

  get #use(): Use {
    if (!this.isUnfinished) return "idle";
    return this.#state === "open" && this.#unread.length === 0 ? "unused" : "unfinished";
  }

  get lastSeenNo(): number {
    return this.#lastSeenNo;
  }

  shed(): void {
    this.#socket.end();
  }

  /** Closes the connection as soon as no request is in progress. */
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
    else this.#continue();
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

  /** `isTurn`: the first request may be passed on without asking `pace` again. */
  #read(bytes: Buffer, isTurn = false): void {
    const { scanner, answer, flushAfter, readAfterRefresh } = this.#options;
    this.#unread = NOTHING;
    const headsEnd = endOfHeads(bytes);
    let isLater = false;
    let written: Promise<void> | undefined;
    let at = 0;
    for (let requests = 0; at < bytes.length && !this.#isLast; requests += 1) {
      if (requests === REQUESTS_PER_READ_MAX || this.#answers.length > ANSWER_BYTES_PER_READ_MAX) {
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
        // Answers are sent in the order of their requests.
        if (this.#answers !== "") this.#unread = bytes.subarray(at);
        else if (kind === "partial") this.#awaitRest(bytes.subarray(at));
        else if (isTurn || this.#options.pace.take()) this.#forward(bytes.subarray(at), kind, scanner.end - at);
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

  /** An incomplete head that can't become a valid one counts as odd. */
  #scan(bytes: Buffer, at: number, headsEnd: number): HeadKind | "partial" {
    const kind = at < headsEnd ? this.#options.scanner.scan(bytes, at) : "partial";
    if (kind === "partial") return mayBecomeHead(bytes.subarray(at)) ? "partial" : "odd";
    this.#hasSentRequest = true;
    this.#lastSeenNo = this.#options.nextSeenNo();
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

  #forward(bytes: Buffer, kind: HeadKind, headBytes: number): void {
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

  #continue(): void {
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
    this.#dropForwarded();
    this.#writer.end();
  }

  #dropForwarded(): void {
    this.#call?.drop();
    this.#call = undefined;
    this.#handover.drop();
  }

  /** Stops reading from a client that sends too far ahead of its answers, or faster than the HTTP server reads. */
  #pauseOrResume(): void {
    const isTooMuch = this.#handover.isFull || this.#unread.length > UNREAD_BYTES_MAX;
    if (isTooMuch === this.#isPaused) return;
    this.#isPaused = isTooMuch;
    if (isTooMuch) this.#socket.pause();
    else this.#socket.resume();
  }
}
