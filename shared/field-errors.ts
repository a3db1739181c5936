import type { z } from "zod";
import type { FieldCode, FieldError } from "#contract/errors.ts";

type Location = FieldError["location"];
type Issue = z.core.$ZodIssue;

/** What the schema found, in the contract's words: one entry for each field that is wrong. */
export function fieldErrors(location: Location, issues: readonly Issue[], input: unknown): FieldError[] {
  const found = issues.flatMap((issue) => {
    if (issue.code === "unrecognized_keys") {
      return issue.keys.map((key) => ({
        location,
        field: [...issue.path, key].join("."),
        code: "unknown_field" as const,
        message: `There is no such ${location === "query" ? "parameter" : "field"}.`,
      }));
    }
    const [code, message] = describe(issue, input);
    return [{ location, field: issue.path.join("."), code, message }];
  });
  // Of a value that has the wrong type nothing else needs to be said.
  const untyped = new Set(found.filter(({ code }) => code === "type").map(({ field }) => field));
  return found.filter(({ field, code }) => code === "type" || !untyped.has(field));
}

function describe(issue: Exclude<Issue, { code: "unrecognized_keys" }>, input: unknown): [FieldCode, string] {
  switch (issue.code) {
    case "invalid_type":
      return valueAt(input, issue.path) === undefined
        ? ["required", "This field is required."]
        : ["type", `Must be ${article(issue.expected)}.`];
    case "too_small":
      return issue.origin === "number" || issue.origin === "int"
        ? ["out_of_range", `Must be at least ${issue.minimum}.`]
        : ["too_short", `Must have at least ${countOf(issue.minimum, issue.origin)}.`];
    case "too_big":
      return issue.origin === "number" || issue.origin === "int"
        ? ["out_of_range", `Must be at most ${issue.maximum}.`]
        : ["too_long", `Must have at most ${countOf(issue.maximum, issue.origin)}.`];
    case "invalid_value":
      return ["not_in_enum", `Must be one of: ${listOf(issue.values)}.`];
    case "invalid_format":
      return ["invalid_format", formatMessages[issue.format] ?? issue.message];
    case "custom":
      return [codeOf(issue.params), issue.message];
    case "invalid_union":
      return ["type", issue.message];
    case "invalid_key":
      return describeKey(issue, input);
    default:
      return ["type", "This value is not valid."];
  }
}

/** What is wrong with the name of a member, in an object whose names are the sender's own. */
function describeKey({ issues: [issue], path }: z.core.$ZodIssueInvalidKey, input: unknown): [FieldCode, string] {
  if (issue === undefined || issue.code === "unrecognized_keys") return ["type", "This name is not valid."];
  if (issue.code === "too_small" && path.at(-1) === "") return ["too_short", "The name must not be empty."];
  const [code, message] = describe(issue, input);
  return [code, message.startsWith("Must ") ? `The name m${message.slice(1)}` : message];
}

/** As `fieldProblem` gave it. */
const codeOf = (params: z.core.$ZodIssueCustom["params"]): FieldCode => params?.code ?? "type";

const formatMessages: Readonly<Record<string, string>> = {
  datetime: "Must be an RFC 3339 instant with an offset, such as 2026-12-31T23:59:59Z.",
  printable: "Must not contain control characters.",
};

const countOf = (count: number | bigint, origin: string): string =>
  `${count} ${origin === "array" ? "item" : "character"}${count === 1 ? "" : "s"}`;

/** An empty text, where it may stand for none, is named. */
const listOf = (values: readonly unknown[]): string =>
  values.map((value) => (value === "" ? "(empty)" : value)).join(", ");

const article = (expected: string): string => {
  if (expected === "int") return "a whole number";
  // An object whose names are the sender's own.
  if (expected === "record") return "an object";
  if (expected === "boolean") return "true or false";
  return /^[aeiou]/.test(expected) ? `an ${expected}` : `a ${expected}`;
};

function valueAt(input: unknown, path: readonly PropertyKey[]): unknown {
  let value = input;
  for (const key of path) {
    if (typeof value !== "object" || value === null) return undefined;
    value = (value as Record<PropertyKey, unknown>)[key];
  }
  return value;
}
