/** Whether an insert failed because a row with that key exists. By the text: libraries pass it on, but not the code. */
export const isDuplicateKey = (error: unknown): boolean =>
  error instanceof Error && /UNIQUE constraint failed|duplicate key value/i.test(error.message);
