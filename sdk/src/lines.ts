/** The lines of a text that arrives in parts, without their ends. */
export async function* linesOf(body: ReadableStream<Uint8Array>): AsyncGenerator<string, void, undefined> {
  const reader = body.getReader();
  const decoder = new TextDecoder();
  let rest = "";
  let done = false;
  try {
    for (;;) {
      const { done: isLast, value } = await reader.read();
      done = isLast;
      rest += isLast ? decoder.decode() : decoder.decode(value, { stream: true });
      const lines = rest.split("\n");
      rest = lines.pop() ?? "";
      yield* lines;
      if (isLast) break;
    }
    if (rest !== "") yield rest;
  } finally {
    // Whoever stops reading closes the connection.
    if (!done) await reader.cancel();
  }
}
