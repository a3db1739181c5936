import type { SearchSection } from "../search-section.ts";

export const RESULTS_MAX = 12;

interface Words {
  readonly page: string;
  readonly heading: string;
  readonly text: string;
}

/** The words of a question, in lower case. */
export const wordsOf = (question: string): string[] =>
  question
    .toLowerCase()
    .split(/[\s,;:()"'`]+/)
    .filter((word) => word !== "");

/** The sections that have every word of a question, best first: titles count more than headings, and those more than text. */
export function findSections(sections: readonly SearchSection[], question: string): SearchSection[] {
  const words = wordsOf(question);
  if (words.length === 0) return [];
  return sections
    .map((section) => ({ section, score: scoreOf(section, words) }))
    .filter(({ score }) => score > 0)
    .toSorted((a, b) => b.score - a.score)
    .slice(0, RESULTS_MAX)
    .map(({ section }) => section);
}

function scoreOf(section: SearchSection, words: readonly string[]): number {
  const own: Words = {
    page: section.page.toLowerCase(),
    heading: section.heading.toLowerCase(),
    text: section.text.toLowerCase(),
  };
  const scores = words.map((word) => scoreOfWord(own, word));
  if (scores.includes(0)) return 0;
  const all = words.join(" ");
  const phrase = (own.heading || own.page).includes(all) ? 30 : own.text.includes(all) ? 6 : 0;
  // The beginning of a page stands for all of it.
  const exact = (own.heading || own.page) === all ? 40 : 0;
  return scores.reduce((sum, score) => sum + score, phrase + exact);
}

function scoreOfWord({ page, heading, text }: Words, word: string): number {
  const titled = heading === "" ? page : heading;
  let score = 0;
  if (isWordIn(titled, word)) score += 20;
  else if (titled.includes(word)) score += 8;
  if (heading !== "" && isWordIn(page, word)) score += 4;
  if (isWordIn(text, word)) score += 4;
  else if (text.includes(word)) score += 1;
  return score;
}

/** Whether some word begins like this. */
function isWordIn(text: string, word: string): boolean {
  for (let at = text.indexOf(word); at >= 0; at = text.indexOf(word, at + 1)) {
    if (at === 0 || !/[\p{L}\p{N}]/u.test(text[at - 1] ?? "")) return true;
  }
  return false;
}

const EXCERPT_BEFORE = 40;
const EXCERPT_LENGTH = 140;

/** The part of a section's text around the first word that is found. */
export function excerptOf({ text }: SearchSection, question: string): string {
  const lower = text.toLowerCase();
  const found = wordsOf(question)
    .map((word) => lower.indexOf(word))
    .filter((at) => at >= 0);
  const start = Math.max(0, Math.min(...found, Number.POSITIVE_INFINITY) - EXCERPT_BEFORE);
  const from = Number.isFinite(start) && start > 0 ? text.indexOf(" ", start) + 1 : 0;
  const excerpt = text.slice(from, from + EXCERPT_LENGTH);
  return `${from > 0 ? "… " : ""}${excerpt}${from + EXCERPT_LENGTH < text.length ? " …" : ""}`;
}

/** A text in pieces: every second one is a word of the question. */
export function piecesOf(text: string, question: string): string[] {
  const words = wordsOf(question).map((word) => word.replace(/[.*+?^${}()|[\]\\/-]/g, "\\$&"));
  return words.length === 0 ? [text] : text.split(new RegExp(`(${words.join("|")})`, "gi"));
}
