import { expect, test } from "bun:test";
import { subjectOf } from "./delivery-subject.ts";

test.each([
  [{ type: "link.paused", data: { link: { short_url: "https://s.example/sale" } } }, "s.example/sale"],
  [{ type: "link.clicked", data: { clicks: [{ link: { short_url: "http://s.example/a" } }] } }, "s.example/a"],
  [{ type: "domain.lost", data: { domain: { name: "go.acme.example" } } }, "go.acme.example"],
  [{ type: "webhook.test", data: { message: "Hello" } }, null],
])("%j is about %p", (event, subject) => {
  expect(subjectOf(JSON.stringify(event))).toBe(subject);
});
