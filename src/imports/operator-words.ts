import { ApiError } from "#kernel/api-error.ts";

/** Messages of requests begin with a field, which an operator hasn't typed. */
export function inOperatorWords(error: unknown): unknown {
  if (!(error instanceof ApiError) || error.code !== "validation_failed") return error;
  const { errors = [] } = error.details as { readonly errors?: readonly { readonly message: string }[] };
  return errors.length === 0 ? error : new Error(errors.map(({ message }) => message).join(" "));
}
