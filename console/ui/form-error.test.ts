import { expect, test } from "bun:test";
import { CallError } from "#console/api/call.ts";
import { problemOf } from "./form-error.tsx";

test.each(["device", "device.0"])(
  "an error at %s is about the parameter, whichever of its values it names",
  (field) => {
    const problem = { location: "query", field, code: "not_in_enum", message: "Must be one of: desktop." } as const;
    const error = new CallError("validation_failed", "", { fieldErrors: [problem] });
    expect(problemOf(error, "device")).toBe("Must be one of: desktop.");
    expect(problemOf(error, "source")).toBeUndefined();
  },
);
