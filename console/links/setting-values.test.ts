import { expect, test } from "bun:test";
import { exampleLink, type Link } from "#contract/link-record.ts";
import { emptyValues, findProblems, toCreate, toPatch, valuesOf } from "./link-form-values.ts";

const link: Link = {
  ...exampleLink,
  utm: {},
  tags: [],
  password_protected: true,
  max_clicks: 10,
  preview: { title: "A title", description: null, image_url: null },
  rules: [{ name: "ios", when: { os: ["iOS"] }, destination_url: "https://example.com/ios" }],
};
const base = valuesOf(link);

test("a link that sets nothing special is created without a word about it", () => {
  expect(toCreate({ ...emptyValues, destination_url: "https://example.com/" })).toEqual({
    destination_url: "https://example.com/",
  });
});

test("an edit sends nothing that wasn't changed, and never a stored password", () => {
  expect(toPatch(base, base)).toEqual({});
  expect(toPatch(base, { ...base, notes: " Ask Kim " })).toEqual({ notes: "Ask Kim" });
});

test("a password is replaced by a text and removed by null", () => {
  expect(toPatch(base, { ...base, password: { text: "tulip" } })).toEqual({ password: "tulip" });
  expect(toPatch(base, { ...base, password: "none" })).toEqual({ password: null });
});

test("an empty new password is a problem, not a removal", () => {
  expect(findProblems({ ...base, password: { text: "" } }, [], base)).toHaveProperty("password", "Enter a password.");
});

test("what is emptied returns to its default", () => {
  const emptied = { ...base, rules: [], max_clicks: "", preview: emptyValues.preview };
  expect(toPatch(base, emptied)).toEqual({ rules: null, max_clicks: null, preview: null });
});

test("a link may not start after it expires", () => {
  const period = { starts_at: "2099-02-01T00:00:00.000Z", expires_at: "2099-01-01T00:00:00.000Z" };
  expect(findProblems({ ...base, ...period }, [], base)).toEqual({ starts_at: "Must be before the link expires." });
});
