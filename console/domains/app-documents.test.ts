import { expect, test } from "bun:test";
import { isSameDocument, readDocument, writeDocument } from "./app-documents.ts";

test("a document is shown as it was stored, and nothing where there is none", () => {
  const document = { applinks: { details: [] } };
  expect(readDocument(writeDocument(document))).toEqual({ value: document });
  expect(writeDocument(null)).toBe("");
});

test("an empty text removes the document", () => {
  expect(readDocument(" \n")).toEqual({ value: null });
});

test("what isn't JSON says where it breaks off", () => {
  expect(readDocument('{ "applinks": ')).toEqual({ problem: expect.stringMatching(/^This isn’t valid JSON: .+\.$/) });
});

test("spaces alone are no change", () => {
  expect(isSameDocument('{"a":[1]}', { a: [1] })).toBe(true);
  expect(isSameDocument('{"a":[1]', { a: [1] })).toBe(false);
  expect(isSameDocument("", null)).toBe(true);
  expect(isSameDocument("", { a: [1] })).toBe(false);
});
