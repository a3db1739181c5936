import { SourceProblem } from "#imports/import-source.ts";

/** The service answered, but not with what was asked for. */
export class ServiceRefusal extends SourceProblem {
  readonly status: number;

  constructor(status: number, message: string) {
    super(message);
    this.status = status;
  }
}

/** Whether something was deleted since it was listed, which mustn't end a reading that takes hours. */
export const isGone = (error: unknown): boolean => error instanceof ServiceRefusal && error.status === 404;

export async function nullIfGone<T>(answer: Promise<T>): Promise<T | null> {
  try {
    return await answer;
  } catch (error) {
    if (isGone(error)) return null;
    throw error;
  }
}
