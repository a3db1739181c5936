import { headingAnchors } from "./heading-anchors.ts";
import type { Entry } from "./navigation.ts";
import type { SearchSection } from "./search-section.ts";

const MARK = "\u0001";
const HEADING = new RegExp(`${MARK}(\\d)${MARK}`);

/** The text of a page by section, for the search. */
export function searchSections(
  markdown: string,
  { title, path, description }: Pick<Entry, "title" | "path" | "description">,
): SearchSection[] {
  const spaced = (children: string): string => `${children} `;
  const text = Bun.markdown.render(markdown, {
    heading: (children, { level }) => `${MARK}${level}${MARK}${children}${MARK}`,
    paragraph: spaced,
    code: spaced,
    list: spaced,
    listItem: spaced,
    th: spaced,
    td: spaced,
    html: () => " ",
    image: () => "",
  });
  const newAnchor = headingAnchors();
  const sections: SearchSection[] = [];
  // Alternately the level of a heading, and what follows it.
  const [, ...parts] = text.split(HEADING);
  for (let at = 0; at + 1 < parts.length; at += 2) {
    const isTitle = parts[at] === "1";
    const [heading = "", body = ""] = (parts[at + 1] ?? "").split(MARK);
    sections.push({
      page: title,
      path: isTitle ? path : `${path}#${newAnchor(heading)}`,
      heading: isTitle ? "" : heading,
      about: description,
      text: body.replace(/\s+/g, " ").trim(),
    });
  }
  return sections;
}
