import { z } from "zod";
import { Destination } from "./destination.ts";
import { type FieldCode, fieldProblem } from "./errors.ts";
import { Instant, Timestamp } from "./fields.ts";
import { publishedAs } from "./published-as.ts";

export const RULES_MAX = 20;
export const WAYS_MAX = 10;
export const WEIGHT_MAX = 1000;
const VALUES_MAX = 100;
/** Longer than any word that visitors have, so that what someone wrote instead gets a suggestion. */
export const WORD_LENGTH_MAX = 64;
const PARAMETERS_MAX = 10;

export const weekdays = ["mon", "tue", "wed", "thu", "fri", "sat", "sun"] as const;

const RuleName = z
  .string()
  .regex(
    /^[a-z0-9][a-z0-9-]{0,31}$/,
    "Must be 1 to 32 lower-case letters, digits or hyphens, not starting with a hyphen.",
  )
  .meta({
    description: "Unique within the link; generated if you leave it out. Reports show it.",
    examples: ["ios-de"],
  });

const valuesOf = (value: z.ZodType<string>, description: string) =>
  z.array(value).min(1).max(VALUES_MAX).optional().describe(description);

const Word = z.string().max(WORD_LENGTH_MAX);

const Hour = z.string().regex(/^(?:[01]\d|2[0-3]):[0-5]\d$/, "Must be a time such as 09:30.");

const weekly = {
  days: z.array(z.enum(weekdays)).min(1).max(7).optional().describe("Every day if left out."),
  from: Hour.optional().describe("Midnight if left out."),
  to: Hour.optional().describe(
    "Exclusive. Midnight if left out. Hours that end before they start end on the next day; if both are equal, the " +
      "window is 24 hours starting at `from`.",
  ),
  timezone: z.string().max(64).describe("IANA time zone name. Days and hours need it."),
};

const range = <T extends typeof Instant | typeof Timestamp>(time: T) => ({
  after: time.optional().describe("From this time on."),
  before: time.optional().describe("Until this time, exclusive."),
});

const WeeklyHours = z.strictObject(weekly);
const SentRange = z.strictObject(range(Instant)).meta({ minProperties: 1 });

/** One object with the fields of both, since a union blames a mistake in one of them on the other. */
const SentTime = z
  .strictObject({ ...weekly, timezone: weekly.timezone.optional(), ...range(Instant) })
  .check(({ value, issues }) => {
    if (issues.length > 0) return;
    const { after, before, timezone, ...hours } = value;
    const report = (path: string[], code: FieldCode, message: string) =>
      issues.push({ code: "custom", input: value, path, ...fieldProblem(code, message) });
    const isRange = after !== undefined || before !== undefined;
    const isWeekly = timezone !== undefined || Object.keys(hours).length > 0;
    if (!isRange && !isWeekly) {
      report([], "required", "Give after, before or both, or days and hours with their timezone.");
    } else if (isRange && isWeekly) {
      report([], "type", "Give either after and before, or days and hours with their timezone.");
    } else if (isWeekly && timezone === undefined) {
      report(["timezone"], "required", "Days and hours need a time zone, such as Europe/Berlin.");
    }
  }) as z.ZodType<z.output<typeof WeeklyHours | typeof SentRange>>;
publishedAs.set(SentTime, z.union([WeeklyHours, SentRange]));

const StoredTime = z.union([WeeklyHours, z.strictObject(range(Timestamp))]);

/** A program that found nothing to ask for would otherwise send everyone to the rule's destination. */
const notEmpty = <T extends z.ZodType<object>>(schema: T, message: string): T =>
  schema
    .check(({ value, issues }) => {
      // A name that doesn't exist is no condition either, but said already.
      if (issues.length > 0 || Object.keys(value).length > 0) return;
      issues.push({ code: "custom", input: value, path: [], ...fieldProblem("too_short", message) });
    })
    .meta({ minProperties: 1 });

const asItIs = <T>(schema: T): T => schema;

/** What is stored is shown as it is. */
const plainConditions = <T extends z.ZodType>(time: T, filled: typeof notEmpty) => ({
  country: valuesOf(Word, "Two-letter country codes, such as `DE`."),
  language: valuesOf(Word, "Languages without a region, such as `de`, which includes `de-AT`."),
  device: valuesOf(Word, "`desktop`, `mobile`, `tablet` or `other`."),
  os: valuesOf(Word, "Operating systems as in reports, such as `iOS`."),
  browser: valuesOf(Word, "Browsers as in reports, such as `Firefox`."),
  referrer: valuesOf(
    z.string().max(253),
    "Host names of the page with the link. `example.com` includes `news.example.com`.",
  ),
  source: valuesOf(Word, "`qr` or `link`."),
  query: filled(
    z
      .record(
        z.string().min(1).max(100),
        z.union([z.string().max(255), z.literal(true)], "Must be a string, or true for any value."),
      )
      .refine(
        (query) => Object.keys(query).length <= PARAMETERS_MAX,
        fieldProblem("too_long", `Must have at most ${PARAMETERS_MAX} parameters.`),
      ),
    "Give at least one parameter, or leave out query.",
  )
    .optional()
    .describe("Parameters behind the short URL, each with its value, or `true` for any value."),
  time: time.optional().describe("A range of time (`after`, `before`), or days and hours in a time zone."),
});

const conditions = <T extends z.ZodType>(time: T, filled: typeof notEmpty) =>
  filled(
    z.strictObject({
      ...plainConditions(time, filled),
      not: filled(z.strictObject(plainConditions(time, filled)), "Give at least one condition, or leave out not.")
        .optional()
        .describe("None of these may hold."),
    }),
    "Give at least one condition, or leave out when: the rule then always decides.",
  ).describe("All of them must hold. A list holds if one of its entries does; what isn't known never matches.");

const way = <N extends z.ZodType>(name: N) =>
  z.strictObject({ name, weight: z.int().min(1).max(WEIGHT_MAX), destination_url: Destination });

/** A rule has either a destination or a split; which of them, a schema alone would say in an incomprehensible error. */
const rule = <N extends z.ZodType, T extends z.ZodType>(name: N, time: T, filled: typeof notEmpty) =>
  z.strictObject({
    name,
    when: conditions(time, filled).optional(),
    destination_url: Destination.optional(),
    split: z
      .array(way(name))
      .min(2)
      .max(WAYS_MAX)
      .optional()
      .describe("Instead of `destination_url`: visitors are divided by weight, and each keeps their way for a day."),
  });

export const Rules = z
  .array(rule(RuleName.optional(), SentTime, notEmpty))
  .max(RULES_MAX)
  .meta({ description: "The first rule whose conditions hold decides; without one, `destination_url`." });

// Whatever the offset and precision a rule was sent with, answers have timestamps as everywhere.
export const StoredRules = z.array(
  rule(RuleName, StoredTime, asItIs).meta({ id: "Rule", description: "One rule of a link." }),
);
