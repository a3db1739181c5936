import { z } from "zod";
import { type ClickDimension, clickDimensions, fixedValues } from "./analytics.ts";
import { UTM_TEMPLATE_NAME_MAX } from "./console/utm-templates.ts";
import { DomainStatus } from "./domain-record.ts";
import { label, Timestamp } from "./fields.ts";
import { LinkVersion } from "./link-history.ts";
import { Link, liveStates, UtmSet } from "./link-record.ts";
import { TAG_LENGTH_MAX } from "./tag-name.ts";
import { TagColor } from "./tags.ts";

/** The format of account archives: a gzipped tar file with these files, in this order. See docs/moving.md. */
export const ARCHIVE_FORMAT = "kurz-account";
export const ARCHIVE_VERSION = 1;
export const ARCHIVE_MEDIA_TYPE = "application/gzip";
/** Of each file: readers keep a line in memory, not a file. */
export const ARCHIVE_LINE_BYTES_MAX = 1024 * 1024;

/** Of each part: readers keep the links of one in memory until they have seen their histories. */
export const ARCHIVE_PART_BYTES_MAX = 64 * 1024 * 1024;

const ID_LENGTH_MAX = 255;
const NAME_LENGTH_MAX = 1000;
// Some letters become two in lower case.
const FOLDED_TAG_LENGTH_MAX = 2 * TAG_LENGTH_MAX;
const COUNT_MAX = 2 ** 32 - 1;

const Id = z.string().min(1).max(ID_LENGTH_MAX);
// Links keep theirs, and it is part of addresses.
const LinkId = z.string().regex(/^lnk_[0-9a-z]{26}$/);
const VERSION_MAX = 2 ** 31 - 1;
const Count = z.int().min(0).max(COUNT_MAX);

export const ArchiveManifest = z.object({
  format: z.literal(ARCHIVE_FORMAT),
  version: z.int().min(1).describe("Of the format: 1. Later releases may add files and fields without raising it."),
  created_at: Timestamp.describe("When the export started."),
  account: z.object({ id: Id, name: z.string().max(NAME_LENGTH_MAX) }).describe("The account's id and name."),
  domain: z.string().max(253).describe("The instance's own short domain."),
});
export type ArchiveManifest = z.output<typeof ArchiveManifest>;

/** What follows from other fields, from the time or from the instance isn't in an archive. */
const derived = {
  short_url: true,
  expired: true,
  exhausted: true,
  scheduled: true,
  deleted_at: true,
  erases_at: true,
} as const;

export const ArchivedLink = Link.omit(derived).extend({
  id: LinkId,
  version: z.int().min(1).max(VERSION_MAX).describe("Increases with every change to the link, but not with clicks."),
  slug: z.string().max(NAME_LENGTH_MAX).describe("The last part of the short URL."),
  state: z.enum(liveStates).describe("`active`, `paused` or `archived`."),
  state_before_archive: z.enum(liveStates).nullable().describe("What `unarchive` returns an archived link to."),
  used_clicks: Count.describe("How many clicks of `max_clicks` are used up."),
});
export type ArchivedLink = z.output<typeof ArchivedLink>;

export const ArchivedVersion = LinkVersion.extend({
  link: Id.describe("The link's `id`."),
  version: z.int().min(2).describe("The first version isn't there: it follows from what later ones replaced."),
  at: Timestamp,
  by: z
    .object({ type: z.enum(["token", "user", "operator", "blocklist", "system"]), name: z.string().nullable() })
    .describe("Who changed the link, by name."),
  before: LinkVersion.shape.before.describe("The previous values of the fields that changed, or of all fields."),
});
export type ArchivedVersion = z.output<typeof ArchivedVersion>;

export const ArchivedDomain = z.object({
  name: z.string().max(253).describe("The host name in ASCII."),
  status: DomainStatus.describe("`pending`, `verified` or `lost`, at this instance."),
  is_default: z.boolean().describe("Whether new links use it."),
  root_redirect_url: z.string().nullable().describe("Where visitors of `/` go."),
  not_found_redirect_url: z.string().nullable().describe("Where visitors of unknown short URLs go."),
  expired_redirect_url: z.string().nullable().describe("Where visitors of expired and used-up links go."),
  app_links: z.looseObject({}).describe("The documents for iOS and Android apps."),
});
export type ArchivedDomain = z.output<typeof ArchivedDomain>;

export const ArchivedTag = z.object({
  name: label(FOLDED_TAG_LENGTH_MAX).min(1).describe("The tag in lower case."),
  color: TagColor.nullable().describe("Its color."),
});
export type ArchivedTag = z.output<typeof ArchivedTag>;

export const ArchivedEndpoint = z.object({
  url: z.string().describe("Where deliveries are sent."),
  description: z.string().nullable().describe("Its description."),
  events: z.array(z.string()).describe("The event types it gets."),
  enabled: z.boolean().describe("Whether it gets any."),
});
export type ArchivedEndpoint = z.output<typeof ArchivedEndpoint>;

export const ArchivedUtmTemplate = z.object({
  name: label(UTM_TEMPLATE_NAME_MAX).min(1).describe("Its name."),
  utm: UtmSet.describe("The UTM parameters that are set."),
});
export type ArchivedUtmTemplate = z.output<typeof ArchivedUtmTemplate>;

type TextDimension = Exclude<ClickDimension, "source">;
const utmOfVisit = (name: string): string =>
  `\`${name}\` in the query of the address that the visitor was redirected to.`;
const textDimensions: Readonly<Record<TextDimension, string>> = {
  country: "The visitor's country: a two-letter code (ISO 3166-1), such as `DE`.",
  region: "The visitor's region by its name, such as `Bavaria`.",
  city: "The visitor's city by its name, such as `Munich`.",
  referrer: "The host of the page with the link, such as `news.example`.",
  device: `The kind of device: ${fixedValues.device.map((value) => `\`${value}\``).join(", ")}.`,
  browser: "The browser by its name, such as `Firefox`.",
  os: "The operating system by its name, such as `Android`.",
  language: "The visitor's first language: a code without the country, such as `de`.",
  utm_source: utmOfVisit("utm_source"),
  utm_medium: utmOfVisit("utm_medium"),
  utm_campaign: utmOfVisit("utm_campaign"),
  utm_term: utmOfVisit("utm_term"),
  utm_content: utmOfVisit("utm_content"),
  rule: "The rule that decided where the visitor went: its name at the time, with `/` and the way for a split.",
};
const Dimensions = z.array(z.enum(clickDimensions)).max(clickDimensions.length);
// A URL has at most so many bytes, and so has every text in it.
const TEXT_LENGTH_MAX = 8192;

const QUARTER_MS = 15 * 60_000;
const isQuarter = (time: string): boolean => Date.parse(time) >= 0 && Date.parse(time) % QUARTER_MS === 0;
const ONE_LINE = /^[^\t\n\r\0]*$/;

export const ArchivedCount = z
  .object({
    link: Id.describe("The link's `id`."),
    at: Timestamp.refine(isQuarter, "Must be the start of a quarter of an hour.").describe(
      "The start of a quarter of an hour.",
    ),
    whole_day: z.literal(true).optional().describe("`true` if only the day is known. `at` is 11:00 UTC then."),
    bot: z.literal(true).optional().describe("`true` for clicks by programs."),
    source: z.literal("qr").optional().describe("`qr` for scans."),
    clicks: Count.min(1).describe("How many clicks have all of this in common."),
    visitor: z
      .string()
      .regex(/^[0-9a-f]{16}$/)
      .nullable()
      .optional()
      .describe(
        "Distinguishes visitors of one UTC day, in this archive only. `null` for someone who isn't counted as a visitor. " +
          "Left out if visitors aren't known.",
      ),
    ...(Object.fromEntries(
      Object.entries(textDimensions).map(([name, description]) => [
        name,
        z.string().min(1).max(TEXT_LENGTH_MAX).regex(ONE_LINE).optional().describe(description),
      ]),
    ) as Record<TextDimension, z.ZodOptional<z.ZodString>>),
    cut: z
      .object({ known: Dimensions, earlier: Dimensions, all: Dimensions })
      .optional()
      .describe(
        "For imported clicks that a service counted several times, such as by country and again by referrer: the " +
          "dimensions that this count knows, those that counts before it know, and all of them together.",
      ),
  })
  .refine(
    ({ visitor, cut, whole_day }) => visitor === undefined || (cut === undefined && whole_day === undefined),
    "Visitors are told apart in one cut, by quarters of an hour.",
  );
export type ArchivedCount = z.output<typeof ArchivedCount>;

export const ArchivedVisitors = z.object({
  link: Id.nullable().describe("The link's `id`; `null` for the whole account."),
  day: z.iso
    .date()
    .refine((day) => Date.parse(day) >= 0)
    .describe("The UTC day."),
  with_bots: z.boolean().describe("Whether programs are counted."),
  clicks: Count.describe("The figure holds while exactly so many clicks of the day are counted."),
  visitors: Count.describe("How many different visitors there were."),
});
export type ArchivedVisitors = z.output<typeof ArchivedVisitors>;

/**
 * The files with one record per line, in the order of the archive. Each has parts, numbered from 1; there are none if it
 * has no records. Each part of the links is followed by the histories of its links, in the same order.
 */
export const archiveFiles = {
  domains: ArchivedDomain,
  tags: ArchivedTag,
  "utm-templates": ArchivedUtmTemplate,
  endpoints: ArchivedEndpoint,
  links: ArchivedLink,
  history: ArchivedVersion,
  /** Both kinds, day by day. */
  counts: z.union([ArchivedCount, ArchivedVisitors]),
} as const;
export type ArchiveFile = keyof typeof archiveFiles;
export type ArchiveRecord<F extends ArchiveFile> = z.output<(typeof archiveFiles)[F]>;
export const archiveFileNames = Object.keys(archiveFiles) as readonly ArchiveFile[];

/** Such as `links/000001.ndjson`. */
export const nameOfPart = (file: ArchiveFile, part: number): string =>
  `${file}/${String(part).padStart(6, "0")}.ndjson`;

/** The last file: how many records there are, so that a reader notices if some are missing. */
export const ArchiveEnd = z.object({
  records: z.record(z.string(), z.int().min(0)).describe("The number of records of each file, by its name."),
});
export type ArchiveEnd = z.output<typeof ArchiveEnd>;
