import { sitePathOf, targetOf } from "./site-paths.ts";

/** The page that lists all others: `docs/README.md`. */
export const INDEX_FILE = "docs/README.md";

export interface Entry {
  readonly title: string;
  readonly description: string;
  /** In the repository. */
  readonly file: string;
  /** On the site. */
  readonly path: string;
}

export interface Section {
  readonly title: string;
  readonly introduction: string;
  readonly entries: readonly Entry[];
}

export interface Navigation {
  readonly title: string;
  readonly introduction: string;
  readonly sections: readonly Section[];
}

const ENTRY = /^- \[([^\]]+)\]\(([^)\s]+)\): (.+)$/;

/**
 * Reads sections and order from the index: a heading, a paragraph, and a list with one line for each page, such as
 * `- [Links](links.md): what a short link can do`.
 */
export function parseNavigation(markdown: string): Navigation {
  const [head = "", ...sections] = markdown.split(/^## /m);
  const [title = "", introduction = ""] = paragraphsOf(head);
  return { title: title.replace(/^# /, ""), introduction, sections: sections.map(parseSection) };
}

function parseSection(text: string): Section {
  const [title = "", introduction = "", ...lists] = paragraphsOf(text);
  const entries = lists.flatMap((list) => list.split(/\s+(?=- \[)/)).map(parseEntry);
  return { title, introduction, entries };
}

function parseEntry(line: string): Entry {
  const [, title = "", href = "", description = ""] = ENTRY.exec(line) ?? [];
  if (title === "") throw new Error(`${INDEX_FILE} has a line that isn't "- [Title](file.md): description": ${line}`);
  const file = targetOf(INDEX_FILE, href);
  return { title, description, file, path: sitePathOf(file) };
}

/** Each on one line. */
const paragraphsOf = (text: string): string[] =>
  text
    .trim()
    .split(/\n\n+/)
    .map((paragraph) => paragraph.replace(/\s*\n\s*/g, " "));

export const entriesOf = ({ sections }: Navigation): readonly Entry[] => sections.flatMap(({ entries }) => entries);
