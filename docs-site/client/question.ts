/** So that "upgrade" finds "Upgrading", and "retry" finds "retries". */
const ENDING = /(?<=\p{L}{3})(?:ings?|ies|ed|es|[ey]|(?<!s)s)$/u;
const ANY_ENDING = "(?:ings?|ies|ed|es|[esy])?";
const NO_LETTER_BEFORE = "(?<![\\p{L}\\p{N}])";
const NO_LETTER_AFTER = "(?![\\p{L}\\p{N}])";
const BETWEEN_WORDS = "[^\\p{L}\\p{N}]+";

const EVERYWHERE = new Set(
  (
    "a an and are as at be by can do does for from have how i if in into is it its me my no not of on or our so than " +
    "that the their them then there they this to us use was we what when where which who why will with you your"
  ).split(" "),
);

const EXCERPT_BEFORE = 40;
const EXCERPT_LENGTH = 140;

/** What someone searches for, as patterns that ignore case. */
export interface Question {
  readonly words: readonly Word[];
  /** All words, one right after another; a single word is none. */
  readonly phrase: RegExp | null;
}

export interface Word {
  /** With any ending. */
  readonly whole: RegExp;
  readonly beginning: RegExp;
  readonly inside: RegExp;
}

export function parseQuestion(question: string): Question {
  const words = wordsOf(question);
  return {
    words: words.map((word) => ({
      whole: ignoringCase(wholeOf(word)),
      beginning: ignoringCase(NO_LETTER_BEFORE + escapeRegExp(word)),
      inside: ignoringCase(escapeRegExp(word)),
    })),
    phrase: words.length > 1 ? ignoringCase(words.map(wholeOf).join(BETWEEN_WORDS)) : null,
  };
}

/** Without those that every text has, unless there are no others. */
function wordsOf(question: string): string[] {
  const words = question.split(/[\s,;:!?()"'`]+/).filter((word) => word !== "");
  const telling = words.filter((word) => !EVERYWHERE.has(word.toLowerCase()));
  return telling.length > 0 ? telling : words;
}

const escapeRegExp = (text: string): string => text.replace(/[.*+?^${}()|[\]\\/]/g, "\\$&");
const ignoringCase = (pattern: string): RegExp => new RegExp(pattern, "iu");
const wholeOf = (word: string): string =>
  NO_LETTER_BEFORE + escapeRegExp(word.toLowerCase().replace(ENDING, "")) + ANY_ENDING + NO_LETTER_AFTER;

/** Any of the words, as much of it as there is. */
const anyOf = (question: string): string =>
  wordsOf(question)
    .map((word) => `${wholeOf(word)}|${escapeRegExp(word)}`)
    .join("|");

/** The part of a text around the first word that is found. */
export function excerptOf(text: string, question: string): string {
  const start = text.search(ignoringCase(anyOf(question))) - EXCERPT_BEFORE;
  const from = start > 0 ? text.indexOf(" ", start) + 1 : 0;
  const excerpt = text.slice(from, from + EXCERPT_LENGTH);
  return `${from > 0 ? "… " : ""}${excerpt}${from + EXCERPT_LENGTH < text.length ? " …" : ""}`;
}

/** A text in pieces: every second one is a word of the question. */
export const piecesOf = (text: string, question: string): string[] =>
  wordsOf(question).length === 0 ? [text] : text.split(ignoringCase(`(${anyOf(question)})`));
