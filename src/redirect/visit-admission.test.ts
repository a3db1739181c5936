import { expect, test } from "bun:test";
import type { RedirectRow } from "#engines/records/redirect-reader.ts";
import { linkKey, OWN_DOMAIN } from "#kernel/link-key.ts";
import { redirectRow } from "#test/support/redirect-row.ts";
import { type CachedLink, type Entry, LinkCache } from "./link-cache.ts";
import { admit, type Visit } from "./visit-admission.ts";

const NOW = 1000;
const key = linkKey(OWN_DOMAIN, "abc");

const linkOf = async (fields: Partial<RedirectRow>): Promise<CachedLink> => {
  const cache = new LinkCache({ reader: { find: async () => redirectRow(fields) } });
  return (await cache.load(key)) as CachedLink;
};
const visitBy = (method: string, isBelow = false): Visit => ({
  request: new Request("http://s.example/abc", { method }),
  host: null,
  key,
  isPreview: false,
  isBelow,
});
/** What GET, POST and PUT meet. */
const obstaclesTo = (entry: Entry, isBelow = false): unknown[] =>
  ["GET", "POST", "PUT"].map((method) => {
    const admitted = admit(entry, visitBy(method, isBelow), NOW);
    return typeof admitted === "string" ? admitted : "passes";
  });

test("links are read, and those with a password take it by POST", async () => {
  expect(obstaclesTo(await linkOf({}))).toEqual(["passes", "method", "method"]);
  expect(obstaclesTo(await linkOf({ guarded: true }))).toEqual(["passes", "passes", "method of form"]);
});

test("a link that can't be opened doesn't tell by its methods that it has a password", async () => {
  for (const [fields, outcome] of [
    [{ state: "paused" }, "paused"],
    [{ settings: { starts_at: NOW + 1 } }, "scheduled"],
    [{ expires_at: NOW }, "expired"],
    [{ blocked_reason: "spam" }, "blocked"],
  ] as const) {
    expect(obstaclesTo(await linkOf(fields))).toEqual([outcome, "method", "method"]);
    expect(obstaclesTo(await linkOf({ ...fields, guarded: true }))).toEqual([outcome, outcome, "method"]);
  }
  expect(obstaclesTo("deleted")).toEqual(["deleted", "method", "method"]);
});

test("only some links have anything below them", async () => {
  expect(obstaclesTo(await linkOf({}), true)).toEqual(["unknown", "method", "method"]);
  expect(obstaclesTo("deleted", true)).toEqual(["unknown", "method", "method"]);
  const deep = await linkOf({ settings: { forward_path: true }, guarded: true });
  expect(obstaclesTo(deep, true)).toEqual(["passes", "passes", "method of form"]);
});
