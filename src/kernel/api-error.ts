import { type AnyErrorCode, allErrors, type ErrorDetails } from "#contract/error-table.ts";
import { FIELD_ERRORS_MAX, type FieldCode, type FieldError } from "#contract/errors.ts";

type DetailsArgument<C extends AnyErrorCode> =
  undefined extends ErrorDetails<C> ? [details?: ErrorDetails<C>] : [details: ErrorDetails<C>];

/** What a client may cause. Anything else that is thrown is a bug and answers `internal_error`. */
export class ApiError<C extends AnyErrorCode = AnyErrorCode> extends Error {
  readonly code: C;
  readonly status: number;
  readonly details: ErrorDetails<C> | undefined;
  /** Extra response headers, such as `Retry-After`. */
  readonly headers: Record<string, string> = {};

  constructor(code: C, message: string, ...[details]: DetailsArgument<C>) {
    super(message);
    this.name = "ApiError";
    this.code = code;
    this.status = allErrors[code].status;
    this.details = details;
  }

  withHeader(name: string, value: string): this {
    this.headers[name] = value;
    return this;
  }
}

/** The same words whether an object is absent, foreign or named by an id that cannot exist. */
export const notFound = (): ApiError<"not_found"> =>
  new ApiError("not_found", "There is no such object in this account.");

export const bodyProblem = (field: string, code: FieldCode, message: string): FieldError => ({
  location: "body",
  field,
  code,
  message,
});

export const validationFailed = (errors: readonly FieldError[]): ApiError<"validation_failed"> =>
  new ApiError("validation_failed", describe(errors), { errors: errors.slice(0, FIELD_ERRORS_MAX) });

function describe(errors: readonly FieldError[]): string {
  const [first] = errors;
  if (!first) return "The request is not valid.";
  const rest = errors.length === 1 ? "" : ` (and ${errors.length - 1} more)`;
  return `${first.field === "" ? first.location : first.field}: ${first.message}${rest}`;
}
