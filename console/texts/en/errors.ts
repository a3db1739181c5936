import type { AnyErrorCode } from "#contract/error-table.ts";
import type { FieldError } from "#contract/errors.ts";

/** What the server answers in place of what was asked for. */
export interface ServerError {
  readonly code: AnyErrorCode;
  readonly message: string;
  readonly details?: Readonly<Record<string, unknown>> & { readonly errors?: readonly FieldError[] };
}

export const errorTexts = {
  offline: "Can’t reach the server. Check your connection.",
  noAnswer: "The server isn’t responding. Try again shortly.",
  /** The server's own words are English. */
  message: ({ message }: ServerError): string => message,
  field: ({ message }: Pick<FieldError, "code" | "message">): string => message,
};
