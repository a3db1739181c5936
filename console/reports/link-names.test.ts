import { expect, test } from "bun:test";
import { nameLink, titleOf } from "./link-names.ts";

test("links without a title and with the same slug are told apart by their domain", () => {
  expect(titleOf({ title: null, domain: null, slug: "sale" })).toBe("/sale");
  expect(titleOf({ title: null, domain: "go.acme.example", slug: "sale" })).toBe("go.acme.example/sale");
  expect(titleOf({ title: "Sale", domain: "go.acme.example", slug: "sale" })).toBe("Sale");
});

test("a link that isn't known is named by its id, once that is certain", () => {
  expect(nameLink({ names: new Map(), isAsking: true }, "lnk_1")).toBe("…");
  expect(nameLink({ names: new Map(), isAsking: false }, "lnk_1")).toBe("lnk_1");
});
