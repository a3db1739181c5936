const TIMEOUT_MS = 1000;
const SILENCE_MS = 100;

export interface StreamReader {
  read(): Promise<{ readonly done: boolean }>;
  cancel(): Promise<void>;
}

/**
 * Reads and drops the rest of an unwanted body, as long as it keeps coming and for a second at most: a client that sends
 * all of it before it reads would miss a response sent in between.
 */
export async function drainStream(reader: StreamReader): Promise<void> {
  const startedAt = performance.now();
  const stop = (): void => void reader.cancel().catch(() => {});
  let timer = setTimeout(stop, SILENCE_MS);
  const ended = { done: true };
  while (!(await reader.read().catch(() => ended)).done) {
    clearTimeout(timer);
    if (performance.now() - startedAt > TIMEOUT_MS) return stop();
    timer = setTimeout(stop, SILENCE_MS);
  }
  clearTimeout(timer);
}
