import { z } from "zod";
import { BlockReason } from "./errors.ts";
import { Instant, label, Timestamp } from "./fields.ts";
import { DESTINATION_BYTES_MAX, SLUG_PATTERN, type utmKeys } from "./limits.ts";

export const TAGS_MAX = 20;
export type UtmKey = (typeof utmKeys)[number];
export type Utm = Partial<Record<UtmKey, string>>;

const UtmValue = label(255);
const utmOf = <V extends z.ZodType>(value: V) =>
  ({
    utm_source: value,
    utm_medium: value,
    utm_campaign: value,
    utm_term: value,
    utm_content: value,
  }) satisfies Record<UtmKey, V>;

// Rules that depend on the deployment's configuration (own hosts, block list) are in the link service.
const Destination = z
  .string()
  .min(1)
  .max(DESTINATION_BYTES_MAX)
  .meta({
    description: "Where the short link redirects to: an absolute http or https URL. Returned in normalized form.",
    format: "uri",
    examples: ["https://example.com/sale"],
  });

export const Slug = z
  .string()
  .regex(SLUG_PATTERN, "Must be 1 to 64 letters, digits, hyphens or underscores, with a letter or digit at both ends.")
  .meta({
    description: "The last part of the short URL. Case-insensitive.",
    examples: ["spring-sale"],
  });

const Title = label(255).meta({ description: "A human-readable name." });
const Tags = z
  .array(label(50))
  .max(TAGS_MAX)
  .meta({ description: "Free-form tags. Tags that differ only in case are merged." });
const NullableUtm = z.strictObject(utmOf(UtmValue.nullish())).meta({
  description: "UTM parameters added to the destination on every redirect.",
});
const ExpiresAt = Instant.meta({
  description: "When the link expires and starts returning 410. Must be in the future.",
});

export const linkStates = ["active", "paused", "archived"] as const;
export const LinkState = z.enum(linkStates).meta({
  id: "LinkState",
  description: "`active` links redirect, `paused` links are temporarily off, `archived` links are retired.",
});
export type LinkState = z.output<typeof LinkState>;

const createdVia = ["api", "dashboard", "import", "demo"] as const;
export const CreatedVia = z.enum(createdVia).describe("How the link was created.");

export const Link = z
  .object({
    id: z.string().describe("An opaque string of at most 255 characters."),
    short_url: z.string().describe("The URL to share."),
    domain: z.string().describe("The host of the short URL."),
    slug: Slug,
    destination_url: Destination,
    title: z.string().nullable().describe("A human-readable name."),
    tags: z.array(z.string()),
    utm: z.object(utmOf(z.string().optional())).describe("Contains only the parameters that are set."),
    state: LinkState,
    expires_at: Timestamp.nullable(),
    expired: z.boolean().describe("Whether `expires_at` has passed."),
    blocked: z
      .object({ reason: BlockReason, at: Timestamp })
      .nullable()
      .describe("Set if the operator blocked the link. Blocked links never redirect."),
    click_count: z.int().describe("Clicks by people. Excludes bots, link previews and HEAD requests."),
    last_clicked_at: Timestamp.nullable(),
    created_via: CreatedVia,
    version: z.int().describe("Increases with every change to the link, but not with clicks. Also sent as the `ETag`."),
    created_at: Timestamp,
    updated_at: Timestamp,
    paused_at: Timestamp.nullable(),
    archived_at: Timestamp.nullable(),
  })
  .meta({ id: "Link", description: "A short link." });
export type Link = z.output<typeof Link>;

export const LinkCreate = z
  .strictObject({
    destination_url: Destination,
    slug: Slug.nullish(),
    title: Title.nullish(),
    tags: Tags.nullish(),
    utm: NullableUtm.nullish(),
    expires_at: ExpiresAt.nullish(),
  })
  .meta({ id: "LinkCreate", description: "A new link. `null` is the same as leaving the field out." });
export type LinkCreate = z.output<typeof LinkCreate>;

// Not derived from LinkCreate: a patch must never apply a default to a field it leaves out.
export const LinkPatch = z
  .strictObject({
    destination_url: Destination.optional(),
    title: Title.nullish(),
    tags: Tags.nullish(),
    utm: NullableUtm.nullish(),
    expires_at: ExpiresAt.nullish(),
  })
  .meta({
    id: "LinkPatch",
    description: "A JSON merge patch (RFC 7396): omitted fields stay unchanged, `null` clears a field.",
  });
export type LinkPatch = z.output<typeof LinkPatch>;

export const LinkPage = z
  .object({
    data: z.array(Link),
    has_more: z.boolean(),
    next_cursor: z.string().nullable().describe("Pass it as `cursor` to get the next page. `null` on the last page."),
  })
  .meta({ id: "LinkPage", description: "One page of links." });
export type LinkPage = z.output<typeof LinkPage>;

/** The link shown in the documentation's examples. */
export const exampleLink = {
  id: "lnk_01k9zq3v7m8r5c2x4t6w0h1jba",
  short_url: "https://s.example/bq7tk3wm",
  domain: "s.example",
  slug: "bq7tk3wm",
  destination_url: "https://example.com/sale",
  title: "Spring sale",
  tags: ["spring", "email"],
  utm: { utm_source: "newsletter", utm_medium: "email" },
  state: "active",
  expires_at: null,
  expired: false,
  blocked: null,
  click_count: 0,
  last_clicked_at: null,
  created_via: "api",
  version: 1,
  created_at: "2026-01-02T03:04:05.678Z",
  updated_at: "2026-01-02T03:04:05.678Z",
  paused_at: null,
  archived_at: null,
} as const satisfies Link;
