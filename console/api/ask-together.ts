interface Batch<T> {
  readonly ids: Set<string>;
  readonly answer: Promise<T>;
}

interface Options<T> {
  /** So many are asked for at once. */
  readonly most: number;
  readonly ask: (ids: readonly string[], accountId: string) => Promise<T>;
}

// The rows that come into sight while someone scrolls ask together.
const COLLECT_MS = 120;

/** Collects what is asked for within a moment, and asks for it at once. */
export function askTogether<T>({ most, ask }: Options<T>): (id: string, accountId: string) => Promise<T> {
  const waiting = new Map<string, Batch<T>>();

  function open(accountId: string): Batch<T> {
    const ids = new Set<string>();
    const answer = new Promise<void>((resolve) => setTimeout(resolve, COLLECT_MS)).then(() => {
      if (waiting.get(accountId)?.ids === ids) waiting.delete(accountId);
      return ask([...ids], accountId);
    });
    const batch = { ids, answer };
    waiting.set(accountId, batch);
    return batch;
  }

  return (id, accountId) => {
    const current = waiting.get(accountId);
    const batch = current && current.ids.size < most ? current : open(accountId);
    batch.ids.add(id);
    return batch.answer;
  };
}
