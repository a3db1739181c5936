/** How many may wait, and what the next one is told. */
interface Line {
  readonly most: number;
  readonly refusal: () => Error;
}

/** Runs at most so many at a time; the others wait in line. */
export function gate(most: number, line?: Line): <T>(work: () => Promise<T>) => Promise<T> {
  const waiting: (() => void)[] = [];
  let running = 0;
  return async (work) => {
    if (running < most) running += 1;
    else if (line && waiting.length >= line.most) throw line.refusal();
    else await new Promise<void>((resolve) => waiting.push(resolve));
    try {
      return await work();
    } finally {
      const next = waiting.shift();
      // Whoever comes next takes over this place, so the count stays.
      if (next) next();
      else running -= 1;
    }
  };
}
