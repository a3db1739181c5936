import { expect, test } from "bun:test";
import { choicesOf, type ListField } from "./visitor-choices.ts";

test.each<ListField>(["country", "language", "device", "os", "browser", "source"])(
  "no two choices of %s have the same name",
  (field) => {
    const labels = choicesOf(field).map(({ label }) => label);
    expect(labels.filter((label, at) => labels.indexOf(label) < at)).toEqual([]);
  },
);
