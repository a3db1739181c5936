import { nextTurn } from "#kernel/next-turn.ts";

/** The parts as a body, read as fast as the client does. Waits for the first one, which tells whether there are any. */
export function streamText(
  parts: AsyncGenerator<string>,
  isHead: boolean,
): Promise<ReadableStream<Uint8Array<ArrayBuffer>>> {
  const encoder = new TextEncoder();
  return streamParts(parts, isHead, (text) => encoder.encode(text));
}

/** The same for parts that aren't text. */
export const streamBytes = (
  parts: AsyncGenerator<Uint8Array<ArrayBuffer>>,
  isHead: boolean,
): Promise<ReadableStream<Uint8Array<ArrayBuffer>>> => streamParts(parts, isHead, (bytes) => bytes);

async function streamParts<T>(
  parts: AsyncGenerator<T>,
  isHead: boolean,
  toBytes: (part: T) => Uint8Array<ArrayBuffer>,
): Promise<ReadableStream<Uint8Array<ArrayBuffer>>> {
  let next: IteratorResult<T> | null = await parts.next();
  if (isHead) {
    await parts.return(undefined);
    return endsLater();
  }
  return new ReadableStream<Uint8Array<ArrayBuffer>>({
    async pull(controller) {
      const { done, value } = next ?? (await parts.next());
      next = null;
      if (done) controller.close();
      else controller.enqueue(toBytes(value));
    },
    async cancel() {
      await parts.return(undefined);
    },
  });
}

/** Without a body, the server would claim that there is none to get (`Content-Length: 0`). */
const endsLater = (): ReadableStream<Uint8Array<ArrayBuffer>> =>
  new ReadableStream({
    async pull(controller) {
      await nextTurn();
      controller.close();
    },
  });
