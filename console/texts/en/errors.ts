import type { AnyErrorCode } from "#contract/error-table.ts";
import type { FieldError } from "#contract/errors.ts";

export const errorTexts = {
  offline: "Can’t reach the server. Check your connection.",
  noAnswer: "The server isn’t responding. Try again shortly.",
  /** The server's own words are English. */
  message: (_code: AnyErrorCode, message: string): string => message,
  field: ({ message }: FieldError): string => message,
};
