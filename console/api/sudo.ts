import { makeStore } from "#console/ui/store.ts";
import { CallError } from "./call.ts";

/** Ends the question: whether the person has shown who they are. */
type Settle = (proven: boolean) => void;

interface Question {
  readonly answer: Promise<boolean>;
  readonly settle: Settle;
}

const open = makeStore<Question | null>(null);

/** Calls that are refused at the same time wait for one and the same answer. */
function ask(): Promise<boolean> {
  const question = open.get();
  if (question) return question.answer;
  const { promise, resolve } = Promise.withResolvers<boolean>();
  const settle: Settle = (proven) => {
    open.set(null);
    resolve(proven);
  };
  open.set({ answer: promise, settle });
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

/** What is to be shown: the way to answer the open question, if there is one. */
export const useSudoQuestion = (): Settle | null => open.use()?.settle ?? null;
