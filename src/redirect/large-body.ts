import { drainStream, type StreamReader } from "#kernel/drain-stream.ts";

/** Above every limit of what stands behind, which therefore refuses a body that was cut off here. */
const PASSED_BYTES_MAX = 1024 * 1024;

/** Whether the body of a request is, or may turn out to be, more than goes on. */
export const mayBeLarge = ({ body, headers }: Request): boolean =>
  body !== null && !(Number(headers.get("content-length") ?? Number.NaN) <= PASSED_BYTES_MAX);

/** A body of which as much goes on as shows that it is too large, however much the client sends. */
export class LargeBody {
  readonly stream: ReadableStream<Uint8Array>;
  readonly #reader: StreamReader;
  #bytesLeft = PASSED_BYTES_MAX;

  constructor(body: ReadableStream<Uint8Array>) {
    const reader = body.getReader();
    this.#reader = reader;
    this.stream = new ReadableStream({
      pull: async (controller) => {
        const { done, value } = await reader.read();
        if (!done) {
          controller.enqueue(value.subarray(0, this.#bytesLeft));
          this.#bytesLeft -= value.length;
        }
        if (done || this.#bytesLeft <= 0) controller.close();
      },
      cancel: (reason) => reader.cancel(reason),
    });
  }

  /** Reads what was cut off, if anything was. */
  async drain(): Promise<void> {
    if (this.#bytesLeft <= 0) await drainStream(this.#reader);
  }
}
