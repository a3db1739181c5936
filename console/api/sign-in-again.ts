import { CallError } from "./call.ts";
import { makeQuestion } from "./question.ts";

const question = makeQuestion();

export const isSignedOut = (error: unknown): boolean => error instanceof CallError && error.code === "not_signed_in";

/** A change that comes after the session has ended: asks the person to sign in where they are, then repeats it. */
export async function withSession<T>(change: () => Promise<T>): Promise<T> {
  try {
    return await change();
  } catch (error) {
    if (!isSignedOut(error) || !(await question.ask())) throw error;
    return change();
  }
}

export const askToSignIn = question.ask;
export const useSignInQuestion = question.use;
