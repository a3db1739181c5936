import { z } from "zod";
import { Destination } from "./destination.ts";
import { BlockReason, fieldProblem } from "./errors.ts";
import { Instant, label, lines, Timestamp } from "./fields.ts";
import { SLUG_PATTERN, TITLE_LENGTH_MAX, TRASH_DAYS, type utmKeys } from "./limits.ts";
import { Rules, StoredRules } from "./rules.ts";
import { TAG_LENGTH_MAX, TagName } from "./tag-name.ts";

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

export const Slug = z
  .string()
  .regex(SLUG_PATTERN, "Must be 1 to 64 letters, digits, hyphens or underscores, with a letter or digit at both ends.")
  .meta({
    description: "The last part of the short URL. Case-insensitive.",
    examples: ["spring-sale"],
  });

const Title = label(TITLE_LENGTH_MAX).meta({
  description: "A human-readable name. The preview page (`+`) shows it to anyone.",
});
const Tags = z
  .array(TagName)
  .max(TAGS_MAX)
  .meta({ description: "Free-form tags, except `.` and `..`. Tags that differ only in case are merged." });
/** Without any that is not set. */
export const UtmSet = z.strictObject(utmOf(UtmValue.optional()));
const NullableUtm = z.strictObject(utmOf(UtmValue.nullish())).meta({
  description: "UTM parameters added to the destination on every redirect.",
});
const ExpiresAt = Instant.meta({
  description:
    "When the link expires. From then on its visitors go to `expired_url`, else to the domain's `expired_redirect_url`; " +
    "without either, they get a 410 page. Must be in the future.",
});

const Notes = lines(2000).meta({ description: "Text for your team. Visitors never see it; `q` searches it." });
export const ExternalId = label(255).meta({
  description: "Your own key for the link, unique within the account. Can't be changed once it is set.",
});
export const METADATA_PAIRS_MAX = 20;
const MetadataKey = label(40);
const metadata = <V extends z.ZodType>(value: V) =>
  z
    .record(MetadataKey, value)
    .refine(
      (pairs) => Object.keys(pairs).length <= METADATA_PAIRS_MAX,
      fieldProblem("too_long", `At most ${METADATA_PAIRS_MAX} pairs.`),
    );
const MetadataValue = lines(500);
const MetadataNew = metadata(MetadataValue.nullable()).meta({
  description: `Your own data about the link: up to ${METADATA_PAIRS_MAX} pairs of strings. Visitors never see it.`,
  maxProperties: METADATA_PAIRS_MAX,
});
const MetadataPatch = metadata(MetadataValue.nullable()).meta({
  description: `Merged by key: those left out stay, \`null\` removes one. A link can have up to ${METADATA_PAIRS_MAX} pairs.`,
  maxProperties: METADATA_PAIRS_MAX,
});
export const Password = z
  .string()
  .min(1, { abort: true })
  .max(128)
  .regex(/\S/, "Must not consist of spaces only.")
  .meta({ description: "Visitors must enter it before they are redirected. Never returned." });
const MaxClicks = z.int().min(1).max(1_000_000_000).meta({
  description: "After so many clicks by people, the link answers as an expired one. Exact, even in parallel.",
});
const StartsAt = Instant.meta({
  description: "Before this time the short URL returns 404. Must be before `expires_at`.",
});
const ExpiredUrl = Destination.meta({
  description: "Where visitors go once the link has expired or is exhausted, instead of the 410 page.",
});
const redirectStatuses = [301, 302, 307, 308] as const;
const RedirectStatus = z.literal(redirectStatuses).meta({
  description:
    "The status of the redirect. Browsers keep permanent ones (301, 308) for 90 seconds, and repeated clicks within " +
    "that time may not be counted.",
});
const ForwardQuery = z.boolean().meta({ description: "Whether the visitor's query is added to the destination's." });
const ForwardPath = z
  .boolean()
  .meta({ description: "Whether `/{slug}/a/b` leads to the destination with `/a/b` added to its path." });
const Preview = z
  .strictObject({
    title: label(255).nullish(),
    description: label(1000).nullish(),
    image_url: Destination.nullish(),
  })
  .meta({
    description:
      "What chats and social networks show for the link. People are always redirected. Without any of these fields, the " +
      "link has none.",
  });

/** The states of links that aren't deleted. */
export const liveStates = ["active", "paused", "archived"] as const;
export type LiveState = (typeof liveStates)[number];
export const linkStates = [...liveStates, "deleted"] as const;
export const LinkState = z.enum(linkStates).meta({
  id: "LinkState",
  description:
    "`active` links redirect, `paused` links are temporarily off, `archived` links are retired, `deleted` links are in " +
    `the trash: you can restore them for ${TRASH_DAYS} days.`,
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
    password_protected: z.boolean().describe("Whether visitors must enter a password."),
    max_clicks: z.int().nullable().describe("How many clicks by people the link allows."),
    exhausted: z.boolean().describe("Whether `max_clicks` is used up."),
    starts_at: Timestamp.nullable(),
    scheduled: z.boolean().describe("Whether `starts_at` is in the future."),
    expired_url: z.string().nullable().describe("Where visitors go once the link has expired or is exhausted."),
    rules: StoredRules,
    redirect_status: RedirectStatus,
    forward_query: ForwardQuery,
    forward_path: ForwardPath,
    preview: z
      .object({
        title: z.string().nullable(),
        description: z.string().nullable(),
        image_url: z.string().nullable(),
      })
      .nullable()
      .describe("What chats and social networks show for the link."),
    notes: z.string().nullable().describe("Text for your team."),
    external_id: z.string().nullable().describe("Your own key for the link."),
    metadata: z.record(z.string(), z.string()).describe("Your own data about the link."),
    click_count: z.int().describe("Clicks by people. Excludes bots, link previews and HEAD requests."),
    last_clicked_at: Timestamp.nullable(),
    created_via: CreatedVia,
    version: z.int().describe("Increases with every change to the link, but not with clicks. Also sent as the `ETag`."),
    created_at: Timestamp,
    updated_at: Timestamp,
    paused_at: Timestamp.nullable(),
    archived_at: Timestamp.nullable(),
    deleted_at: Timestamp.nullable(),
    erases_at: Timestamp.nullable().describe("When a deleted link and its clicks are erased for good."),
  })
  .meta({ id: "Link", description: "A short link." });
export type Link = z.output<typeof Link>;

/** Fields that most links leave out; `null` is the default of each. */
const settings = {
  password: Password.nullish(),
  max_clicks: MaxClicks.nullish(),
  starts_at: StartsAt.nullish(),
  expired_url: ExpiredUrl.nullish(),
  rules: Rules.nullish(),
  redirect_status: RedirectStatus.nullish(),
  forward_query: ForwardQuery.nullish(),
  forward_path: ForwardPath.nullish(),
  preview: Preview.nullish(),
  notes: Notes.nullish(),
};

export const LinkCreate = z
  .strictObject({
    destination_url: Destination,
    domain: z
      .string()
      .max(253)
      .nullish()
      .describe("One of your verified domains, or the instance's own. The account's default if left out."),
    slug: Slug.nullish(),
    title: Title.nullish(),
    tags: Tags.nullish(),
    utm: NullableUtm.nullish(),
    expires_at: ExpiresAt.nullish(),
    ...settings,
    external_id: ExternalId.nullish(),
    metadata: MetadataNew.nullish(),
    find_existing: z
      .boolean()
      .nullish()
      .describe(
        "`true`: if the account has an active link on this domain with the same destination, UTM parameters, rules and " +
          "other settings, return the newest such link with status 200 instead of creating another. Title, tags, notes and " +
          "`metadata` may differ. `slug` and `external_id` must match if you send them; a request with a password always " +
          "creates a link. In a bulk request, only the newest 200 links with the destination are compared.",
      ),
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
    ...settings,
    external_id: ExternalId.nullish(),
    metadata: MetadataPatch.nullish(),
  })
  .meta({
    id: "LinkPatch",
    description: "A JSON merge patch (RFC 7396): omitted fields stay unchanged, `null` clears a field.",
  });
export type LinkPatch = z.output<typeof LinkPatch>;

export const TagChange = z
  .strictObject({
    add: z.array(TagName).max(TAGS_MAX).optional().describe("Tags to add, unless the link has them already."),
    remove: z
      .array(label(TAG_LENGTH_MAX))
      .max(TAGS_MAX)
      .optional()
      .describe("Tags to remove. A tag that is in both lists is added."),
  })
  .meta({ id: "TagChange", description: "Changes to a link's tags. Case-insensitive." });
export type TagChange = z.output<typeof TagChange>;

/** In the order in which responses have them. */
export const linkFieldNames = Object.keys(Link.shape) as unknown as readonly [keyof Link, ...(keyof Link)[]];

const paging = {
  has_more: z.boolean().describe("Whether there is a next page."),
  next_cursor: z.string().nullable().describe("Pass it as `cursor` to get the next page. `null` on the last page."),
  previous_cursor: z
    .string()
    .nullable()
    .describe("Pass it as `before` to get the page before. `null` on the first page."),
};

export const LinkPage = z
  .object({ data: z.array(Link), ...paging })
  .meta({ id: "LinkPage", description: "One page of links." });
export type LinkPage = z.output<typeof LinkPage>;

export const SelectedLinkPage = z
  .object({
    data: z.array(
      Link.partial().meta({ id: "SelectedLink", description: "A short link with the requested `fields`." }),
    ),
    ...paging,
  })
  .meta({ id: "SelectedLinkPage", description: "One page of links with the requested `fields`." });

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
  password_protected: false,
  max_clicks: null,
  exhausted: false,
  starts_at: null,
  scheduled: false,
  expired_url: null,
  rules: [],
  redirect_status: 302,
  forward_query: true,
  forward_path: false,
  preview: null,
  notes: null,
  external_id: null,
  metadata: {},
  click_count: 0,
  last_clicked_at: null,
  created_via: "api",
  version: 1,
  created_at: "2026-01-02T03:04:05.678Z",
  updated_at: "2026-01-02T03:04:05.678Z",
  paused_at: null,
  archived_at: null,
  deleted_at: null,
  erases_at: null,
} as const satisfies Link;
