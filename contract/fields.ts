import { z } from "zod";

/** RFC 3339 in UTC with milliseconds, as in every response. */
export const Timestamp = z.iso
  .datetime({ precision: 3 })
  .meta({ description: "An RFC 3339 timestamp in UTC with milliseconds.", examples: ["2026-01-02T03:04:05.678Z"] });

// RFC 3339 ends with the year 9999, which an offset can exceed.
const INSTANT_MS_MIN = Date.UTC(1970, 0, 1);
const INSTANT_MS_MAX = Date.UTC(10_000, 0, 1) - 1;

/** A timestamp as clients may send it: any offset, any precision. */
export const Instant = z.iso
  .datetime({ offset: true })
  .check((context) => {
    const ms = Date.parse(context.value);
    // Text that isn't a date at all has been reported already.
    if (Number.isNaN(ms) || (ms >= INSTANT_MS_MIN && ms <= INSTANT_MS_MAX)) return;
    context.issues.push({ input: context.value, code: "invalid_format", format: "datetime" });
  })
  .meta({ description: "An RFC 3339 timestamp with a time zone offset.", examples: ["2026-12-31T23:59:59Z"] });

// C0, DEL and C1 controls have no place in a label, and break terminals, logs and CSV files.
// biome-ignore lint/suspicious/noControlCharactersInRegex: matching control characters is the point
const CONTROLS = /[\u0000-\u001f\u007f-\u009f]/;
// biome-ignore lint/suspicious/noControlCharactersInRegex: the same, without tab and line feed
const CONTROLS_IN_LINES = /[\u0000-\u0008\u000b-\u001f\u007f-\u009f]/;

const codePoints = (text: string): number => {
  let count = 0;
  for (const _ of text) count += 1;
  return count;
};

// No character decomposes into more than four (UAX 15), so text over four times the limit is too long in NFC too.
const COMPOSED_FROM_MAX = 4;

/** Human-readable text: NFC, trimmed, no control characters; its length counts code points, as in JSON Schema. */
export const label = (max: number) => printable(max, z.string().trim(), CONTROLS);

/** The same in several lines, whose ends are all line feeds. */
export const lines = (max: number) =>
  printable(
    max,
    z
      .string()
      .overwrite((text) => text.replace(/\r\n?/g, "\n"))
      .trim(),
    CONTROLS_IN_LINES,
  );

const printable = (max: number, text: z.ZodString, controls: RegExp) =>
  text
    .check(({ value, issues }) => {
      // Rejected before normalizing: ordering combining marks takes time quadratic in their number.
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
      if (controls.test(text) || !text.isWellFormed()) {
        context.issues.push({
          input: text,
          code: "invalid_format",
          format: "printable",
          message: "no control characters",
        });
      }
    })
    .meta({ minLength: 1, maxLength: max });
