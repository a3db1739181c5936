import { z } from "zod";

/** RFC 3339 in UTC with milliseconds, as every answer prints it. */
export const Timestamp = z.iso
  .datetime({ precision: 3 })
  .meta({ description: "An instant: RFC 3339, UTC, milliseconds.", examples: ["2026-01-02T03:04:05.678Z"] });

// Beyond the year 9999 an instant can no longer be written in RFC 3339, which an offset can bring about.
const INSTANT_MS_MIN = Date.UTC(1970, 0, 1);
const INSTANT_MS_MAX = Date.UTC(10_000, 0, 1) - 1;

/** An instant as a client may send it: any offset, any precision. */
export const Instant = z.iso
  .datetime({ offset: true })
  .check((context) => {
    const ms = Date.parse(context.value);
    // What is no date at all has been told already.
    if (Number.isNaN(ms) || (ms >= INSTANT_MS_MIN && ms <= INSTANT_MS_MAX)) return;
    context.issues.push({ input: context.value, code: "invalid_format", format: "datetime" });
  })
  .meta({ description: "An instant: RFC 3339 with an offset.", examples: ["2026-12-31T23:59:59Z"] });

// C0, DEL and C1 controls have no place in a label, and break terminals, logs and CSV files.
// biome-ignore lint/suspicious/noControlCharactersInRegex: the controls are what is looked for
const CONTROLS = /[\u0000-\u001f\u007f-\u009f]/;

const codePoints = (text: string): number => {
  let count = 0;
  for (const _ of text) count += 1;
  return count;
};

// No character decomposes into more than four (UAX 15), so a text of more than four times as many is too long in NFC too.
const COMPOSED_FROM_MAX = 4;

/** Text for people: NFC, trimmed, no controls, bounded in characters (code points, as JSON Schema counts). */
export const label = (max: number) =>
  z
    .string()
    .trim()
    .check(({ value, issues }) => {
      // Refused before it is composed: the time to put many marks in order grows with the square of their number.
      if (value.length <= max * COMPOSED_FROM_MAX || codePoints(value) <= max * COMPOSED_FROM_MAX) return;
      issues.push({ input: value, code: "too_big", origin: "string", inclusive: true, maximum: max });
    })
    .normalize("NFC")
    .check((context) => {
      const text = context.value;
      const length = text.length <= max && text.length > 0 ? 1 : codePoints(text);
      const issue = { input: text, origin: "string" as const, inclusive: true };
      if (length === 0) context.issues.push({ ...issue, code: "too_small", minimum: 1 });
      else if (length > max) context.issues.push({ ...issue, code: "too_big", maximum: max });
      if (CONTROLS.test(text) || !text.isWellFormed()) {
        context.issues.push({
          input: text,
          code: "invalid_format",
          format: "printable",
          message: "no control characters",
        });
      }
    })
    .meta({ minLength: 1, maxLength: max });
