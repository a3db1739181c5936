import { UNREAD_BODY_HEADER } from "#kernel/internal-headers.ts";
import type { Answers } from "../answers.ts";
import { arrivalMsMax } from "../body-limits.ts";
import type { ControlGate } from "../control-gate.ts";
import type { ControlShares } from "../control-shares.ts";
import { ControlAnswer, clientHead } from "./control-answer.ts";
import type { ControlCaller, ControlConnection, ControlPool } from "./control-pool.ts";
import { rawAnswer } from "./raw-answer.ts";

export interface CallClient {
  /** Returns whether the client can take more now. */
  onAnswer(bytes: Buffer): boolean;
  /** The answer is complete; `isLast`: the connection must be closed after it. */
  onAnswered(isLast: boolean): void;
  /** The answer is cut off. */
  onServerEnd(): void;
}

export interface CallOptions {
  readonly pool: ControlPool;
  readonly shares: ControlShares;
  readonly gate?: Pick<ControlGate, "opening" | "depart">;
  readonly answers: Pick<Answers, "isDraining" | "apiUnavailable" | "unavailable" | "bodyLate">;
  readonly onStream: (call: ControlCall, isOpen: boolean) => void;
  readonly onError: (error: unknown) => void;
}

export interface ControlRequest {
  /** As sent to control, without the content length and the final empty line. */
  readonly head: string;
  /** If control can't answer, a person gets a page instead of JSON. */
  readonly isReadByPeople: boolean;
  readonly isHead: boolean;
  /** The length of the body that the client sends. */
  readonly bodyBytes: number;
  /** `dropped`: meaningless for this method. `unread`: the answer doesn't depend on the body or wait for it. */
  readonly body: "passed" | "dropped" | "unread";
  /** The client wants the connection closed. */
  readonly isLast: boolean;
  /** Whose fair share of places and memory the request uses. */
  readonly party: string;
  readonly requestId: string;
  readonly acceptLanguage: string | null;
}

/** Memory for an arriving body, a place among requests to control, or a place among event streams. */
type Share = "room" | "place" | "stream";
type Phase = "arriving" | "asked" | "answering" | "over";

const ANSWER_TICKS_MAX = 30;
const TICKS_PER_MS = 0.001;
const LAST_CHUNK = Buffer.from("0\r\n\r\n");
const NOTHING: Buffer = Buffer.alloc(0);

/** One request to control, without an HTTP server in between. It is sent once its body has arrived completely. */
export class ControlCall implements ControlCaller {
  readonly #options: CallOptions;
  readonly #client: CallClient;
  readonly #request: ControlRequest;
  readonly #answer: ControlAnswer;
  #phase: Phase = "arriving";
  #ticks = 0;
  #body: { readonly bytes: Buffer; length: number } | undefined;
  #connection: ControlConnection | undefined;
  #isPaused = false;
  #isLast: boolean;
  #isDropped = false;
  #held: Share | undefined;
  #arrive: (() => void) | undefined;

  constructor(options: CallOptions, client: CallClient, request: ControlRequest) {
    this.#options = options;
    this.#client = client;
    this.#request = request;
    this.#answer = new ControlAnswer(request.isHead);
    this.#isLast = request.isLast;
  }

  /** Takes the bytes after the head, and returns those that don't belong to the request. */
  start(bytes: Buffer): Buffer {
    const { bodyBytes, body } = this.#request;
    if (bytes.length >= bodyBytes) {
      this.#send(bytes.subarray(0, bodyBytes));
      return bytes.subarray(bodyBytes);
    }
    if (body === "unread") {
      this.#isLast = true;
      this.#send(NOTHING);
    } else if (this.#hold("room")) this.#body = { bytes: Buffer.allocUnsafeSlow(bodyBytes), length: 0 };
    else this.#refuseUnread(this.#unavailable());
    return this.receive(bytes);
  }

  receive(bytes: Buffer): Buffer {
    // The connection is closed after the answer, so the rest is discarded.
    if (this.#isLast && this.#phase !== "arriving") return NOTHING;
    if (this.#body === undefined) return bytes;
    const { bytes: body, length } = this.#body;
    const copied = bytes.copy(body, length);
    this.#body.length += copied;
    if (this.#body.length === body.length) this.#send(body);
    return bytes.subarray(copied);
  }

  /** Whether the whole request has arrived, so it is answered even if the client sends nothing more. */
  get isWhole(): boolean {
    return this.#phase !== "arriving";
  }

  /** The client can take more of the answer. */
  resume(): void {
    if (!this.#isPaused) return;
    this.#isPaused = false;
    this.#connection?.resume();
  }

  /** The client has disconnected. */
  drop(): void {
    this.#isDropped = true;
    this.#end();
  }

  /** Called every second. */
  tick(): void {
    this.#ticks += 1;
    const { requestId, bodyBytes } = this.#request;
    if (this.#phase === "arriving" && this.#ticks > arrivalMsMax(bodyBytes) * TICKS_PER_MS) {
      this.#refuseUnread(this.#options.answers.bodyLate(requestId));
    } else if (this.#phase === "asked" && this.#ticks > ANSWER_TICKS_MAX) this.#refuse(this.#unavailable());
  }

  /** Event streams never end by themselves, and would keep the process from shutting down. */
  endStream(): void {
    const canBeEnded = this.#answer.canBeEnded;
    this.#end();
    if (canBeEnded) {
      this.#client.onAnswer(LAST_CHUNK);
      this.#client.onAnswered(true);
    } else this.#client.onServerEnd();
  }

  onControlData(bytes: Buffer): void {
    try {
      this.#relay(this.#answer.pass(bytes));
    } catch (error) {
      this.onControlEnd(error);
    }
  }

  onControlEnd(error?: unknown): void {
    if (error !== undefined && this.#phase === "answering") this.#options.onError(error);
    if (this.#phase === "asked") this.#refuse(this.#unavailable());
    else if (this.#phase === "answering") {
      this.#end();
      this.#client.onServerEnd();
    }
  }

  #send(body: Buffer): void {
    this.#body = undefined;
    this.#release();
    if (!this.#hold("place")) {
      this.#refuse(this.#unavailable());
      return;
    }
    this.#phase = "asked";
    this.#ticks = 0;
    const { head, body: kind, bodyBytes } = this.#request;
    const passed = kind === "passed" ? body : NOTHING;
    const length = kind === "dropped" ? "" : `content-length: ${passed.length}\r\n`;
    const unread = kind === "unread" && bodyBytes > 0 ? `${UNREAD_BODY_HEADER}: ${bodyBytes}\r\n` : "";
    const text = Buffer.from(`${head}${length}${unread}\r\n`, "latin1");
    const bytes = passed.length === 0 ? text : Buffer.concat([text, passed]);
    const { gate } = this.#options;
    if (gate?.opening === undefined) this.#ask(bytes);
    else void gate.opening.then(() => this.#ask(bytes));
  }

  #ask(bytes: Buffer): void {
    // The client may have left meanwhile, or the time is up.
    if (this.#phase !== "asked") return;
    this.#arrive = this.#options.gate?.depart();
    this.#connection = this.#options.pool.take(this);
    this.#connection.send(bytes);
  }

  #relay(body: Buffer): void {
    const { head } = this.#answer;
    if (head === undefined) return;
    let bytes = body;
    if (this.#phase === "asked") {
      if (head.isEventStream && !this.#becomeStream()) {
        this.#refuse(this.#unavailable());
        return;
      }
      this.#phase = "answering";
      this.#arrive?.();
      this.#isLast ||= this.#options.answers.isDraining;
      const text = Buffer.from(clientHead(head, this.#request.requestId, this.#isLast), "latin1");
      bytes = body.length === 0 ? text : Buffer.concat([text, body]);
    }
    const takesMore = bytes.length === 0 || this.#client.onAnswer(bytes);
    if (this.#answer.isComplete) this.#complete(head.isLast);
    else if (!takesMore) {
      this.#isPaused = true;
      this.#connection?.pause();
    }
  }

  #complete(hasControlClosed: boolean): void {
    const connection = this.#connection;
    if (!hasControlClosed && connection !== undefined) {
      this.resume();
      this.#connection = undefined;
      this.#options.pool.giveBack(connection);
    }
    this.#end();
    this.#client.onAnswered(this.#isLast);
  }

  /** A stream frees its place for ordinary requests, which end. */
  #becomeStream(): boolean {
    this.#release();
    if (!this.#hold("stream")) return false;
    this.#options.onStream(this, true);
    return true;
  }

  /** No other request can follow, because part of the body is still to come. */
  #refuseUnread(response: Response): void {
    this.#isLast = true;
    this.#refuse(response);
  }

  #refuse(response: Response): void {
    this.#end();
    void rawAnswer(response, { isToHead: this.#request.isHead, isLast: this.#isLast }).then((bytes) => {
      if (this.#isDropped) return;
      this.#client.onAnswer(bytes);
      this.#client.onAnswered(this.#isLast);
    });
  }

  #unavailable(): Response {
    const { requestId, isReadByPeople, acceptLanguage } = this.#request;
    const { answers, shares } = this.#options;
    shares.refusals += 1;
    if (!isReadByPeople) return answers.apiUnavailable(requestId);
    return answers.unavailable({ headers: { get: (name) => (name === "accept-language" ? acceptLanguage : null) } });
  }

  #hold(share: Share): boolean {
    const { party, bodyBytes } = this.#request;
    const { places, arriving } = this.#options.shares;
    const isFree =
      share === "room"
        ? arriving.take(party, bodyBytes)
        : share === "place"
          ? places.take(party)
          : this.#options.shares.takeStream();
    if (isFree) this.#held = share;
    return isFree;
  }

  #release(): void {
    const { party, bodyBytes } = this.#request;
    const { shares, onStream } = this.#options;
    if (this.#held === "room") shares.arriving.giveBack(party, bodyBytes);
    else if (this.#held === "place") shares.places.giveBack(party);
    else if (this.#held === "stream") {
      shares.giveStreamBack();
      onStream(this, false);
    }
    this.#held = undefined;
  }

  #end(): void {
    this.#phase = "over";
    this.#arrive?.();
    this.#body = undefined;
    this.#release();
    this.#connection?.drop();
    this.#connection = undefined;
  }
}
