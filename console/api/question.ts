import { makeStore } from "#console/ui/store.ts";

/** Ends the question: whether the person has shown who they are. */
export type Settle = (proven: boolean) => void;

interface Open {
  readonly answer: Promise<boolean>;
  readonly settle: Settle;
}

/** Something the person has to answer before a call can go on. Calls that ask meanwhile wait for the same answer. */
export function makeQuestion() {
  const open = makeStore<Open | null>(null);
  return {
    ask(): Promise<boolean> {
      const question = open.get();
      if (question) return question.answer;
      const { promise, resolve } = Promise.withResolvers<boolean>();
      const settle: Settle = (proven) => {
        open.set(null);
        resolve(proven);
      };
      open.set({ answer: promise, settle });
      return promise;
    },
    /** What is to be shown: the way to answer it, while it is open. */
    use: (): Settle | null => open.use()?.settle ?? null,
  };
}
