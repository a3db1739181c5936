import type { SearchSection } from "../search-section.ts";
import { START_PATH } from "../site-paths.ts";
import { parseQuestion, type Question, type Word } from "./question.ts";

const RESULTS_MAX = 12;

/** How much a word says about a section, by where it occurs. */
const TITLE = 14;
const HEADING = 8;
const ABOUT = 5;
/** In the title or description of the page, for the sections below: it says less about each. */
const TITLE_ABOVE = 5;
const ABOUT_ABOVE = 3;
const TEXT = 1;
/** The share that counts if the word begins another one, or is somewhere in it. */
const BEGINNING = 0.6;
const INSIDE = 0.2;
/** If the words are next to each other. */
const PHRASE_IN_HEADING = 5;
const PHRASE_IN_TEXT = 2;
/** If the heading has the words of the question and no others. */
const SAME = 2;

/** The best sections first. Those with all words of a question come before those with some. */
export function findSections(sections: readonly SearchSection[], text: string): SearchSection[] {
  const question = parseQuestion(text);
  return sections
    .map((section) => ({ section, ...rate(section, question) }))
    .filter(({ score }) => score > 0)
    .toSorted((a, b) => b.found - a.found || b.score - a.score)
    .slice(0, RESULTS_MAX)
    .map(({ section }) => section);
}

/** How many words of a question a section has, and how much they say about it. Parts of other words only say something. */
function rate(section: SearchSection, { words, phrase }: Question): { found: number; score: number } {
  const { page, heading, about, text } = section;
  const isPage = heading === "";
  const names = [page, nameOf(section)];
  const headings = isPage ? names : [heading];
  const places: readonly (readonly [string, number])[] = [
    [headings.join(" "), isPage ? TITLE : HEADING],
    [isPage ? "" : names.join(" "), TITLE_ABOVE],
    [about, isPage ? ABOUT : ABOUT_ABOVE],
    [text, TEXT],
  ];
  const scores = words.map((word) => places.reduce((sum, [place, weight]) => sum + weight * fit(word, place), 0));
  const bonus =
    SAME * Math.max(...headings.map((own) => likeness(own, words))) +
    (headings.some((own) => phrase?.test(own)) ? PHRASE_IN_HEADING : 0) +
    (phrase?.test(text) ? PHRASE_IN_TEXT : 0);
  return {
    found: words.filter(({ beginning, whole }) => places.some(([place]) => whole.test(place) || beginning.test(place)))
      .length,
    score: scores.reduce((sum, score) => sum + score, bonus),
  };
}

/** What the page is called in its address: "Several nodes" is /docs/cluster. */
const nameOf = ({ path }: SearchSection): string => path.replace(/#.*/, "").slice(START_PATH.length + 1);

function fit({ whole, beginning, inside }: Word, text: string): number {
  if (whole.test(text)) return 1;
  if (beginning.test(text)) return BEGINNING;
  return inside.test(text) ? INSIDE : 0;
}

/** From 0 to 1. */
function likeness(heading: string, words: readonly Word[]): number {
  const shared = words.filter(({ whole }) => whole.test(heading)).length;
  const own = heading.split(/[^\p{L}\p{N}]+/u).length;
  return (shared / words.length) * Math.min(1, shared / own);
}
