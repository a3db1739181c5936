import { nextTurn } from "#kernel/next-turn.ts";

/** The parts as a body, read as fast as the client does. Waits for the first one, which tells whether there are any. */
export async function streamText(
  parts: AsyncGenerator<string>,
  isHead: boolean,
): Promise<ReadableStream<Uint8Array<ArrayBuffer>>> {
  let next: IteratorResult<string> | null = await parts.next();
  if (isHead) {
    await parts.return(undefined);
    return endsLater();
  }
  const encoder = new TextEncoder();
  return new ReadableStream<Uint8Array<ArrayBuffer>>({
    async pull(controller) {
      const { done, value } = next ?? (await parts.next());
      next = null;
      if (done) controller.close();
      else controller.enqueue(encoder.encode(value));
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
