const TIMEOUT_MS = 1000;

export interface StreamReader {
  read(): Promise<{ readonly done: boolean }>;
  cancel(): Promise<void>;
}

/**
 * Reads the rest of a body that is not wanted, for a second at most: a client that sends all of it before it reads would
 * not see an answer that comes in between.
 */
export async function drainStream(reader: StreamReader): Promise<void> {
  const timer = setTimeout(() => reader.cancel().catch(() => {}), TIMEOUT_MS);
  const ended = { done: true };
  while (!(await reader.read().catch(() => ended)).done);
  clearTimeout(timer);
}
