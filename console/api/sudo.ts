import { useSyncExternalStore } from "react";
import { CallError } from "./call.ts";

/** Ends the question: whether the person has shown who they are. */
type Settle = (proven: boolean) => void;

interface Question {
  readonly answer: Promise<boolean>;
  readonly settle: Settle;
}

let question: Question | null = null;
const listeners = new Set<() => void>();

function show(next: Question | null): void {
  question = next;
  for (const listener of listeners) listener();
}

/** Calls that are refused at the same time wait for one and the same answer. */
function ask(): Promise<boolean> {
  if (question) return question.answer;
  const { promise, resolve } = Promise.withResolvers<boolean>();
  const settle: Settle = (proven) => {
    show(null);
    resolve(proven);
  };
  show({ answer: promise, settle });
  return promise;
}

export const isSudoRefusal = (error: unknown): boolean => error instanceof CallError && error.code === "sudo_required";

/** Where the server wants to see the password or a passkey again: asks for it, then repeats the call. */
export async function withSudo<T>(work: () => Promise<T>): Promise<T> {
  try {
    return await work();
  } catch (error) {
    if (!isSudoRefusal(error) || !(await ask())) throw error;
    return work();
  }
}

const subscribe = (listener: () => void) => {
  listeners.add(listener);
  return () => listeners.delete(listener);
};

/** What is to be shown: the way to answer the open question, if there is one. */
export const useSudoQuestion = (): Settle | null => useSyncExternalStore(subscribe, () => question)?.settle ?? null;
