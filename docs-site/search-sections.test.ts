import { describe, expect, test } from "bun:test";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { findSections } from "./client/find-sections.ts";
import { excerptOf, piecesOf } from "./client/question.ts";
import { entriesOf, INDEX_FILE, parseNavigation } from "./navigation.ts";
import { operationSections } from "./operation-sections.ts";
import { searchSections } from "./search-sections.ts";
import { REFERENCE_PATH } from "./site-paths.ts";

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

const ABOUT = { page: "Links and redirects", about: "slugs, expiry" };
const sections = searchSections(PAGE, { title: ABOUT.page, path: "/docs/links", description: ABOUT.about });

test("a page is split at its headings, with its text only", () => {
  expect(sections).toEqual([
    { ...ABOUT, path: "/docs/links", heading: "", text: "What a slug is." },
    {
      ...ABOUT,
      path: "/docs/links#trash",
      heading: "Trash",
      text: "Deleted links stay for 30 days. a b one two kurz links restore",
    },
    { ...ABOUT, path: "/docs/links#trash-1", heading: "Trash", text: "Again, with a link." },
  ]);
});

describe("the search", () => {
  const pathsFor = (question: string) => findSections(sections, question).map(({ path }) => path);

  test("finds words in any case, order and form, first the sections with all of them", () => {
    expect(pathsFor("DAYS deleting")).toEqual(["/docs/links#trash"]);
    expect(pathsFor("nothing days")).toEqual(["/docs/links#trash"]);
    expect(pathsFor("link again")[0]).toBe("/docs/links#trash-1");
    expect(pathsFor("nothing")).toEqual([]);
    expect(pathsFor("nothing a")).toEqual([]);
    expect(pathsFor("  ")).toEqual([]);
  });

  test("titles come before headings, and headings before text", () => {
    expect(pathsFor("links")[0]).toBe("/docs/links");
    expect(pathsFor("trash")).toEqual(["/docs/links#trash", "/docs/links#trash-1"]);
    expect(pathsFor("redirects slug")[0]).toBe("/docs/links");
  });

  test("whole words come before beginnings of words, and those before parts", () => {
    const headings = ["Catalog", "Logic", "Logs"];
    const found = findSections(
      headings.map((heading) => ({ page: "Page", path: `/docs/page#${heading}`, heading, about: "", text: "" })),
      "log",
    );
    expect(found.map(({ heading }) => heading)).toEqual(["Logs", "Logic", "Catalog"]);
  });

  test("finds operations of the API by what they do, and by their path", () => {
    const operations = operationSections();
    expect(findSections(operations, "create a short link")[0]?.path).toBe("/docs/api#/Links/links.create");
    expect(findSections(operations, "POST /api/v1/links/bulk")[0]?.path).toBe("/docs/api#/Links/links.bulk");
  });

  test("shows the part of a text with the first word, and marks words in any form", () => {
    const text = `${"before ".repeat(20)}needle ${"after ".repeat(40)}`;
    const excerpt = excerptOf(text, "needle");
    expect(excerpt).toContain("needle");
    expect(excerpt.length).toBeLessThan(160);
    expect(piecesOf("A (Needle) here", "needle (x")).toEqual(["A (", "Needle", ") here"]);
    expect(piecesOf("Upgrading a needlework", "upgrade needle")).toEqual(["", "Upgrading", " a ", "needle", "work"]);
  });
});

describe("in the documentation, good answers come first", () => {
  const read = (file: string): string => readFileSync(join(import.meta.dir, "..", file), "utf8");
  const entries = entriesOf(parseNavigation(read(INDEX_FILE))).filter(({ path }) => path !== REFERENCE_PATH);
  const all = [...entries.flatMap((entry) => searchSections(read(entry.file), entry)), ...operationSections()];

  test.each([
    ["cluster", "/docs/cluster"],
    ["how do I upgrade", "/docs/upgrading"],
    ["import bitly", "/docs/moving#bitly"],
    ["mcp", "/docs/mcp"],
    ["slug", "/docs/links#slugs"],
    ["upgrade", "/docs/upgrading"],
    ["webhook signature", "/docs/webhooks"],
  ])("%s", (question, path) => {
    expect(findSections(all, question)[0]?.path).toBe(path);
  });

  test.each([
    ["backup", "/docs/deployment#backup-and-restore"],
    ["custom domain", "/docs/domains"],
    ["delete account", "/docs/operations#deleting-people-and-accounts"],
    ["how do I delete my account", "/docs/operations#deleting-people-and-accounts"],
    ["docker", "/docs/containers"],
    ["webhook signature", "/docs/webhooks#verifying"],
  ])("%s: among the first three", (question, path) => {
    expect(
      findSections(all, question)
        .slice(0, 3)
        .map((section) => section.path),
    ).toContain(path);
  });
});
