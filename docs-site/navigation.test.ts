import { describe, expect, test } from "bun:test";
import { parseNavigation } from "./navigation.ts";

const EXAMPLE = `# Docs

Choose a
page.

## Make links

For people.

- [Links](links.md): what a link
  can do
- [Client](../sdk/README.md): a client

## Run it

For operators.

- [Reference](openapi.json): all of it
`;

describe("the index of pages", () => {
  test("has sections, each with its pages in order", () => {
    const { title, introduction, sections } = parseNavigation(EXAMPLE);
    expect([title, introduction]).toEqual(["Docs", "Choose a page."]);
    expect(sections.map((section) => [section.title, section.introduction])).toEqual([
      ["Make links", "For people."],
      ["Run it", "For operators."],
    ]);
    expect(sections.flatMap(({ entries }) => entries)).toEqual([
      { title: "Links", description: "what a link can do", file: "docs/links.md", path: "/docs/links" },
      { title: "Client", description: "a client", file: "sdk/README.md", path: "/docs/sdk" },
      { title: "Reference", description: "all of it", file: "docs/openapi.json", path: "/docs/api" },
    ]);
  });

  test("refuses a line that it would leave out", () => {
    expect(() => parseNavigation(EXAMPLE.replace("): a client", ")"))).toThrow("- [Client](../sdk/README.md)");
  });
});
