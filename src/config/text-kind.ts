import type { ValueKind } from "./parse-value.ts";

/** What is wrong with a value; `mustBe` makes one that repeats it. */
type Problem = string | { readonly error: (issue: { readonly input?: unknown }) => string };

/** The value doesn't fit; its message completes a sentence that starts with a name. */
class Mismatch extends Error {
  /** It is about one entry of a list. */
  readonly isOfEntry: boolean;

  constructor(message: string, isOfEntry = false) {
    super(message);
    this.isOfEntry = isOfEntry;
  }
}

const describe = (problem: Problem, input: unknown): string =>
  typeof problem === "string" ? problem : problem.error({ input });

/**
 * Text that becomes a value, step by step; the first step that doesn't fit decides. Every process reads its settings, and
 * this costs a redirect process next to nothing, where a schema library would cost it megabytes.
 */
export class TextKind<T> implements ValueKind<T> {
  readonly #read: (text: string) => T;

  constructor(read: (text: string) => T) {
    this.#read = read;
  }

  safeParse(text: string): ReturnType<ValueKind<T>["safeParse"]> {
    try {
      return { success: true, data: this.#read(text) };
    } catch (error) {
      if (!(error instanceof Mismatch)) throw error;
      return { success: false, error: { issues: [{ message: error.message, path: error.isOfEntry ? [0] : [] }] } };
    }
  }

  refine(isFit: (value: T) => boolean, problem: Problem = "is not valid"): TextKind<T> {
    return new TextKind((text) => {
      const value = this.#read(text);
      if (!isFit(value)) throw new Mismatch(describe(problem, value));
      return value;
    });
  }

  transform<U>(change: (value: T) => U): TextKind<U> {
    return new TextKind((text) => change(this.#read(text)));
  }
}

export const anyText = new TextKind((text) => text);

export const textLike = (pattern: RegExp, problem?: Problem): TextKind<string> =>
  anyText.refine((text) => pattern.test(text), problem);

/** The first kind that fits. */
export const either = <T>(kinds: readonly ValueKind<T>[], problem: Problem): TextKind<T> =>
  new TextKind((text) => {
    for (const kind of kinds) {
      const parsed = kind.safeParse(text);
      if (parsed.success) return parsed.data;
    }
    throw new Mismatch(describe(problem, text));
  });

/** Comma-separated; empty entries are ignored. */
export const commaSeparated = <T>(entry: ValueKind<T>): TextKind<readonly T[]> =>
  new TextKind((text) =>
    text
      .split(",")
      .map((part) => part.trim())
      .filter((part) => part !== "")
      .map((part) => {
        const parsed = entry.safeParse(part);
        if (!parsed.success) throw new Mismatch(parsed.error.issues[0]?.message ?? "is not valid", true);
        return parsed.data;
      }),
  );
