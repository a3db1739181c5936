import { z } from "zod";
import { fixedValues } from "./analytics.ts";
import { Destination } from "./destination.ts";
import { endpoint } from "./endpoint.ts";
import { fieldProblem } from "./errors.ts";
import { Instant } from "./fields.ts";
import { TARGET_BYTES_MAX } from "./limits.ts";
import { Rules, WORD_LENGTH_MAX } from "./rules.ts";

/** Why a link doesn't redirect, in the order in which they count. */
export const obstacleCodes = [
  "domain",
  "path",
  "blocked",
  "archived",
  "expired",
  "paused",
  "scheduled",
  "exhausted",
  "card",
  "password",
  "bot",
] as const;
export type ObstacleCode = (typeof obstacleCodes)[number];

// What isn't known of a real visitor can't be tried: both accept what the redirect reads out of a request. No language is
// longer than three letters, which tells them from names such as "German".
const WEIGHT = String.raw`[ \t]*;[ \t]*[qQ][ \t]*=[ \t]*(?:1(?:\.0{0,3})?|0(?:\.\d{0,3})?)`;
const LANGUAGE = String.raw`[ \t]*(?:\*|[A-Za-z]{2,3}(?:-[A-Za-z0-9]+)*)(?:${WEIGHT})?[ \t]*`;
const ACCEPT_LANGUAGE = new RegExp(`^${LANGUAGE}(?:,${LANGUAGE})*$`);

const PAGE = /^(?:https?|android-app):\/\/[^/?#\\\s]\S*$/i;
const SITE = /^(?!(?:\d{1,3}\.){3}\d{1,3}\.?$)[a-z0-9_](?:[a-z0-9_.-]{0,253}[a-z0-9_])?\.?$/i;

/** Of a site, people know the name; browsers send the address of the page. */
function isPage(text: string): boolean {
  const page = text.includes("://") ? text : `https://${text}`;
  return PAGE.test(page) && URL.canParse(page) && SITE.test(new URL(page).hostname);
}

export const LinkVisit = z
  .strictObject({
    country: z.string().max(WORD_LENGTH_MAX).optional().describe("A two-letter country code, such as `DE`."),
    language: z
      .string()
      .max(255)
      .regex(ACCEPT_LANGUAGE, "Must be a language tag, such as de or de-AT, or an Accept-Language header.")
      .optional()
      .describe("A language, or what a browser sends as `Accept-Language`, such as `de-AT,en;q=0.8`."),
    user_agent: z
      .string()
      .max(1000)
      .optional()
      .describe("What a browser sends as `User-Agent`. Sets `device`, `os` and `browser` if you leave them out."),
    device: z.enum(fixedValues.device).optional(),
    os: z.string().max(WORD_LENGTH_MAX).optional().describe("An operating system as in reports, such as `iOS`."),
    browser: z.string().max(WORD_LENGTH_MAX).optional().describe("A browser as in reports, such as `Firefox`."),
    referrer: z
      .string()
      .max(2000)
      .refine(isPage, fieldProblem("invalid_format", "Must be a URL or host name, such as example.com."))
      .optional()
      .describe("The page with the link: its URL or host name."),
    source: z.enum(fixedValues.source).optional().describe("`link` unless `query` says otherwise."),
    query: z
      .string()
      .max(TARGET_BYTES_MAX)
      .regex(/^[!-~]*$/, "Must be percent-encoded.")
      .optional()
      .describe("What follows the question mark of the short URL, such as `ref=x`."),
    path: z
      .string()
      .max(TARGET_BYTES_MAX)
      .regex(/^\/[!-~]*$/, "Must begin with a slash and be percent-encoded.")
      .optional()
      .describe("What follows the slug, such as `/a/b`, for links with `forward_path`."),
    at: Instant.optional().describe("When the visit takes place. Now if left out."),
    destination_url: Destination.optional().describe("Try this destination instead of the link's, without saving it."),
    rules: Rules.nullish().describe("Try these rules instead of the link's, without saving them. `null` for none."),
  })
  .meta({ id: "LinkVisit", description: "A visitor to try a link with. What you leave out is unknown." });
export type LinkVisit = z.output<typeof LinkVisit>;

const Chance = z.number().min(0).max(1).describe("How many of the visitors whom the rule applies to go this way.");

export const Resolution = z
  .object({
    status: z.int().describe("The status of the answer."),
    location: z.string().nullable().describe("Where the answer leads, or `null` if it doesn't redirect."),
    obstacles: z
      .array(
        z.object({
          code: z.enum(obstacleCodes),
          message: z.string().describe("For people."),
        }),
      )
      .describe("What keeps the visitor from the destination. The first one counts; empty if there is none."),
    destination_url: z
      .string()
      .describe("Where the rules lead, with UTM parameters and the visitor's query, whatever the obstacles."),
    rule: z.string().nullable().describe("The name of the rule that decides, or `null` for the link's destination."),
    way: z
      .object({ name: z.string(), chance: Chance })
      .nullable()
      .describe("The likeliest way of a split, which `destination_url` belongs to. `null` without a split."),
    ways: z
      .array(z.object({ name: z.string(), chance: Chance, destination_url: z.string() }))
      .describe("All ways of the split. Which one a visitor gets is the same all day."),
    rules: z
      .array(
        z.object({
          name: z.string(),
          decides: z.boolean().describe("Whether this rule decides: the first without `failed`."),
          failed: z.array(z.string()).describe("The conditions that don't hold, such as `country` or `not.query.ref`."),
        }),
      )
      .describe("Every rule, in order."),
  })
  .meta({ id: "Resolution", description: "What a visitor gets, and why." });
export type Resolution = z.output<typeof Resolution>;

export const resolveLink = endpoint({
  id: "links.resolve",
  method: "POST",
  path: "/api/v1/links/{id}/resolve",
  summary: "Try a visit",
  description:
    "Shows what a visitor would get, and for each rule which of its conditions don't hold. Nothing is counted or saved. " +
    "`rules` and `destination_url` are checked as if you saved them.",
  tag: "Links",
  scope: "links:read",
  params: z.strictObject({ id: z.string().max(255).describe("The link's `id`.") }),
  body: LinkVisit,
  bodyOptional: true,
  status: 200,
  response: Resolution,
  errors: ["destination_blocked", "invalid_state"],
  examples: {
    body: {
      country: "DE",
      os: "Android",
      rules: [
        { name: "ios", when: { os: ["iOS"] }, destination_url: "https://example.com/ios" },
        { name: "german", when: { country: ["DE", "AT"] }, destination_url: "https://example.com/de" },
      ],
    },
    response: {
      status: 302,
      location: "https://example.com/de?utm_source=newsletter&utm_medium=email",
      obstacles: [],
      destination_url: "https://example.com/de?utm_source=newsletter&utm_medium=email",
      rule: "german",
      way: null,
      ways: [],
      rules: [
        { name: "ios", decides: false, failed: ["os"] },
        { name: "german", decides: true, failed: [] },
      ],
    },
  },
});
