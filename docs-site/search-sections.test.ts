import { describe, expect, test } from "bun:test";
import { excerptOf, findSections, piecesOf } from "./client/find-sections.ts";
import { operationSections } from "./operation-sections.ts";
import { searchSections } from "./search-sections.ts";

const PAGE = `# Links

What a \`slug\` is.

## Trash

Deleted *links* stay for **30 days**.

| a | b |
|---|---|
| one | two |

\`\`\`sh
kurz links restore
\`\`\`

## Trash

Again, [with a link](x.md).
`;

const sections = searchSections(PAGE, { title: "Links and redirects", path: "/docs/links" });

test("a page is split at its headings, with its text only", () => {
  expect(sections).toEqual([
    { page: "Links and redirects", path: "/docs/links", heading: "", text: "What a slug is." },
    {
      page: "Links and redirects",
      path: "/docs/links#trash",
      heading: "Trash",
      text: "Deleted links stay for 30 days. a b one two kurz links restore",
    },
    { page: "Links and redirects", path: "/docs/links#trash-1", heading: "Trash", text: "Again, with a link." },
  ]);
});

describe("the search", () => {
  const pathsFor = (question: string) => findSections(sections, question).map(({ path }) => path);

  test("finds sections with every word, in any case and order", () => {
    expect(pathsFor("DAYS deleted")).toEqual(["/docs/links#trash"]);
    expect(pathsFor("days nothing")).toEqual([]);
    expect(pathsFor("  ")).toEqual([]);
  });

  test("titles come before headings, and headings before text", () => {
    expect(pathsFor("links")[0]).toBe("/docs/links");
    expect(pathsFor("trash")).toEqual(["/docs/links#trash", "/docs/links#trash-1"]);
    expect(pathsFor("redirects slug")).toEqual(["/docs/links"]);
  });

  test("finds operations of the API by what they do, and by their path", () => {
    const operations = operationSections();
    expect(findSections(operations, "create a short link")[0]?.path).toBe("/docs/api#/Links/links.create");
    expect(findSections(operations, "POST /api/v1/links/bulk")[0]?.path).toBe("/docs/api#/Links/links.bulk");
  });

  test("shows the part of a text with the first word, and marks words", () => {
    const text = `${"before ".repeat(20)}needle ${"after ".repeat(40)}`;
    const excerpt = excerptOf({ page: "", path: "", heading: "", text }, "needle");
    expect(excerpt).toContain("needle");
    expect(excerpt.length).toBeLessThan(160);
    expect(piecesOf("A (Needle) here", "needle (x")).toEqual(["A (", "Needle", ") here"]);
  });
});
