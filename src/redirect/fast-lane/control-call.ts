import { UNREAD_BODY_HEADER } from "#kernel/internal-headers.ts";
import type { Answers } from "../answers.ts";
import { arrivalMsMax } from "../body-limits.ts";
import type { ControlShares } from "../control-shares.ts";
import { ControlAnswer, clientHead } from "./control-answer.ts";
import type { ControlCaller, ControlConnection, ControlPool } from "./control-pool.ts";
import { rawAnswer } from "./raw-answer.ts";

export interface CallClient {
  /** Returns whether the client takes more for now. */
  onAnswer(bytes: Buffer): boolean;
  /** The answer is complete; `isLast`: and nothing can follow it. */
  onAnswered(isLast: boolean): void;
  /** The answer is cut off. */
  onServerEnd(): void;
}

export interface CallOptions {
  readonly pool: ControlPool;
  readonly shares: ControlShares;
  readonly answers: Pick<Answers, "isDraining" | "apiUnavailable" | "unavailable" | "bodyLate">;
  readonly onStream: (call: ControlCall, isOpen: boolean) => void;
  readonly onError: (error: unknown) => void;
}

export interface ControlRequest {
  /** For control, but for the length of the body and the empty line. */
  readonly head: string;
  /** A person gets a page where it cannot be answered. */
  readonly isReadByPeople: boolean;
  readonly isHead: boolean;
  /** Of the body as the client sends it. */
  readonly bodyBytes: number;
  /** `dropped`: it means nothing for this method. `unread`: the answer does not depend on it, and is not kept waiting. */
  readonly body: "passed" | "dropped" | "unread";
  /** The client wants the connection closed. */
  readonly isLast: boolean;
  /** Who is asking, where something is shared. */
  readonly party: string;
  readonly requestId: string;
  readonly acceptLanguage: string | null;
}

/** Room for a body that is arriving, a place towards control, or one for a stream. */
type Share = "room" | "place" | "stream";
type Phase = "arriving" | "asked" | "answering" | "over";

const ANSWER_TICKS_MAX = 30;
const TICKS_PER_MS = 0.001;
const LAST_CHUNK = Buffer.from("0\r\n\r\n");
const NOTHING: Buffer = Buffer.alloc(0);

/** One request on its way to control and back, without an HTTP server in between. Only a whole one is sent. */
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

  constructor(options: CallOptions, client: CallClient, request: ControlRequest) {
    this.#options = options;
    this.#client = client;
    this.#request = request;
    this.#answer = new ControlAnswer(request.isHead);
    this.#isLast = request.isLast;
  }

  /** Takes what follows the head, and returns what does not belong to the request. */
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
    // Nobody will read it.
    if (this.#isLast && this.#phase !== "arriving") return NOTHING;
    if (this.#body === undefined) return bytes;
    const { bytes: body, length } = this.#body;
    const copied = bytes.copy(body, length);
    this.#body.length += copied;
    if (this.#body.length === body.length) this.#send(body);
    return bytes.subarray(copied);
  }

  /** Whether an answer will still come where the client sends no more. */
  get isWhole(): boolean {
    return this.#phase !== "arriving";
  }

  /** The client takes more of the answer. */
  resume(): void {
    if (!this.#isPaused) return;
    this.#isPaused = false;
    this.#connection?.resume();
  }

  /** The client has left. */
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

  /** An event stream has no end of its own, and a process that leaves would wait for it. */
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
    this.#connection = this.#options.pool.take(this);
    this.#connection.send(passed.length === 0 ? text : Buffer.concat([text, passed]));
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

  /** Its place is free for a request that comes to an end. */
  #becomeStream(): boolean {
    this.#release();
    if (!this.#hold("stream")) return false;
    this.#options.onStream(this, true);
    return true;
  }

  /** What is left of the body makes another request impossible. */
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

  /** Nothing is expected of control or held any more. */
  #end(): void {
    this.#phase = "over";
    this.#body = undefined;
    this.#release();
    this.#connection?.drop();
    this.#connection = undefined;
  }
}
