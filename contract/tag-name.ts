import { fieldProblem } from "./errors.ts";
import { label } from "./fields.ts";

/** In code points. */
export const TAG_LENGTH_MAX = 50;

// No URL can name them: parsers resolve dot segments even if percent-encoded, so nobody could rename or delete such a tag.
const DOT_SEGMENTS: readonly string[] = [".", ".."];

export const isTagName = (text: string): boolean => !DOT_SEGMENTS.includes(text);

/** A name that a tag can get. */
export const TagName = label(TAG_LENGTH_MAX)
  .refine(isTagName, fieldProblem("invalid_format", 'A tag can\'t be named "." or "..".'))
  .meta({ minLength: 1, maxLength: TAG_LENGTH_MAX, not: { enum: DOT_SEGMENTS } });
