import { expect, test } from "bun:test";
import { exampleLink, type Link } from "#contract/link-record.ts";
import { arrangeLinks } from "./arrange-links.ts";
import { isShown, shows } from "./link-list-search.ts";

const link = (id: string, more: Partial<Link> = {}): Link => ({ ...exampleLink, id, version: 3, ...more });
const view = { newest: new Map<string, Link>(), isShown: () => true };
const idsOf = (links: readonly Link[]) => links.map(({ id }) => id);

test("a link that stands on two pages is shown once, in its first place", () => {
  expect(
    idsOf(
      arrangeLinks(
        [
          [link("a"), link("b")],
          [link("a"), link("c")],
        ],
        view,
      ),
    ),
  ).toEqual(["a", "b", "c"]);
});

test("a change of this page wins over a list that was read before it, and loses to one that was read after", () => {
  const newest = new Map([["a", link("a", { version: 4, title: "Mine" })]]);
  const titleOf = (version: number) =>
    arrangeLinks([[link("a", { version, title: "Read" })]], { ...view, newest })[0]?.title;
  expect([3, 4, 5].map(titleOf)).toEqual(["Mine", "Read", "Read"]);
});

test("an archived link leaves the list and comes back to its place", () => {
  const pages = [[link("a"), link("b"), link("c")]];
  const show = (newest: Map<string, Link>) =>
    idsOf(arrangeLinks(pages, { ...view, newest, isShown: (one) => isShown(one, undefined) }));
  expect(show(new Map([["b", link("b", { version: 4, state: "archived" })]]))).toEqual(["a", "c"]);
  expect(show(new Map([["b", link("b", { version: 5, state: "active" })]]))).toEqual(["a", "b", "c"]);
});

test("a deleted link is in the trash alone, whatever else is true of it", () => {
  const deleted = link("a", { state: "deleted", expired: true, blocked: { reason: "spam", at: "" } });
  const lists = [undefined, ...shows].filter((show) => isShown(deleted, show));
  expect(lists).toEqual(["deleted"]);
  expect(isShown(link("b"), "deleted")).toBe(false);
});
