import { expect, test } from "bun:test";
import { FIELD_ERRORS_MAX, type FieldError } from "#contract/errors.ts";
import { LinkCreate } from "#contract/link-record.ts";
import { withMeantFields } from "./meant-field.ts";

test("only as many errors as an answer has get a name: a body can have thousands", () => {
  const message = "There is no such field.";
  const error: FieldError = { location: "body", field: "titel", code: "unknown_field", message };
  const errors = withMeantFields(LinkCreate, Array<FieldError>(FIELD_ERRORS_MAX + 1000).fill(error));
  expect(errors).toHaveLength(FIELD_ERRORS_MAX + 1000);
  expect(errors.filter((one) => one.message === `${message} Did you mean "title"?`)).toHaveLength(FIELD_ERRORS_MAX);
  expect(errors.at(FIELD_ERRORS_MAX)).toEqual(error);
});
