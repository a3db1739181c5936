import { CallError } from "./call.ts";
import { makeQuestion } from "./question.ts";

const question = makeQuestion();

export const isSudoRefusal = (error: unknown): boolean => error instanceof CallError && error.code === "sudo_required";

/** Where the server wants to see the password or a passkey again: asks for it, then repeats the call. */
export async function withSudo<T>(work: () => Promise<T>): Promise<T> {
  try {
    return await work();
  } catch (error) {
    if (!isSudoRefusal(error) || !(await question.ask())) throw error;
    return work();
  }
}

export const useSudoQuestion = question.use;
