import { z } from "zod";
import type { LinkCreate } from "#contract/link-record.ts";
import { RULES_MAX } from "#contract/rules.ts";
import type { ImportedLink } from "#imports/import-source.ts";
import { TOTAL_LOSS, totalOf } from "./click-total.ts";
import { countedWords } from "./counted-values.ts";
import { FittedTexts } from "./fit-texts.ts";

export const DubLink = z.object({
  id: z.string(),
  domain: z.string(),
  key: z.string(),
  url: z.string(),
  externalId: z.string().nullish(),
  archived: z.boolean().default(false),
  disabledAt: z.string().nullish(),
  expiresAt: z.string().nullish(),
  expiredUrl: z.string().nullish(),
  password: z.string().nullish(),
  proxy: z.boolean().default(false),
  title: z.string().nullish(),
  description: z.string().nullish(),
  image: z.string().nullish(),
  video: z.string().nullish(),
  rewrite: z.boolean().default(false),
  doIndex: z.boolean().default(false),
  ios: z.string().nullish(),
  android: z.string().nullish(),
  geo: z.record(z.string(), z.string()).nullish(),
  publicStats: z.boolean().default(false),
  tags: z.array(z.object({ name: z.string() })).nullish(),
  folderId: z.string().nullish(),
  comments: z.string().nullish(),
  utm_source: z.string().nullish(),
  utm_medium: z.string().nullish(),
  utm_campaign: z.string().nullish(),
  utm_term: z.string().nullish(),
  utm_content: z.string().nullish(),
  testVariants: z.array(z.object({ url: z.string(), percentage: z.number() })).nullish(),
  testCompletedAt: z.string().nullish(),
  trackConversion: z.boolean().default(false),
  clicks: z.number().int().min(0).default(0),
  leads: z.number().default(0),
  sales: z.number().default(0),
  createdAt: z.string().refine((text) => !Number.isNaN(Date.parse(text))),
});
export type DubLink = z.output<typeof DubLink>;

type NewRules = NonNullable<LinkCreate["rules"]>;

/** The address of the domain itself, which isn't a link here. */
export const isRoot = ({ key }: DubLink): boolean => key === "_root" || key === "";

interface Facts {
  readonly nowMs: number;
  /** Whether only the total of its clicks can be had. */
  readonly hasOnlyTotal: boolean;
}

export function toLink(link: DubLink, { nowMs, hasOnlyTotal }: Facts): ImportedLink {
  const texts = new FittedTexts();
  const fields = {
    destination_url: link.url,
    title: link.title ?? null,
    tags: (link.tags ?? []).map(({ name }) => name),
    utm: texts.utm(link),
    expires_at: isoOf(link.expiresAt),
    expired_url: link.expiredUrl || null,
    rules: rulesOf(link, nowMs, texts),
    preview: previewOf(link, texts),
    notes: link.comments ?? null,
    external_id: texts.label("An external ID", link.externalId),
    metadata: hasOnlyTotal ? totalOf(link.clicks) : null,
  };
  texts.lose(...lostOf(link), ...(hasOnlyTotal ? [TOTAL_LOSS] : []));
  return {
    sourceId: link.id,
    slug: link.key,
    host: link.domain,
    fields,
    state: link.archived ? "archived" : link.disabledAt ? "paused" : "active",
    createdAt: msOf(link.createdAt),
    hadPassword: Boolean(link.password),
    usedClicks: 0,
    losses: texts.losses,
  };
}

/** In the order that Dub decides in. */
function rulesOf({ ios, android, geo, testVariants, testCompletedAt }: DubLink, nowMs: number, texts: FittedTexts) {
  const rules: NewRules = [];
  if (ios) rules.push({ name: "ios", when: { os: ["iOS"] }, destination_url: ios });
  if (android) rules.push({ name: "android", when: { os: ["Android"] }, destination_url: android });
  const targets = Object.entries(geo ?? {}).map(([code, url]) => ({ country: countedWords.country(code), url }));
  const known = targets.filter(({ country }) => country !== "");
  if (known.length < targets.length) texts.lose("Targeting of an unknown country is left out");
  for (const [url, of] of Map.groupBy(known, (target) => target.url)) {
    rules.push({ when: { country: of.map(({ country }) => country) }, destination_url: url });
  }
  const isTesting = (msOf(testCompletedAt) ?? 0) > nowMs;
  const split = isTesting ? (testVariants ?? []).filter(({ percentage }) => percentage >= 1) : [];
  if (split.length > 1) {
    const ways = split.map(({ url, percentage }) => ({ weight: Math.round(percentage), destination_url: url }));
    rules.push({ name: "test", split: ways });
  }
  if (rules.length > RULES_MAX) texts.lose(`Only ${RULES_MAX} rules are kept`);
  return rules.slice(0, RULES_MAX);
}

/** Without `proxy`, these are only what Dub found at the destination. */
const previewOf = ({ proxy, title, description, image }: DubLink, texts: FittedTexts) =>
  proxy
    ? {
        title: texts.label("A preview's title", title),
        description: texts.label("A preview's description", description, 1000),
        image_url: image?.startsWith("http") ? image : null,
      }
    : null;

const lostOf = (link: DubLink): string[] =>
  Object.entries({
    "Link cloaking isn't possible here: visitors see the destination's address": link.rewrite,
    "A preview can't have a video": link.proxy && link.video,
    "There are no folders here": link.folderId,
    "Conversions, leads and sales aren't carried over": link.trackConversion || link.leads > 0 || link.sales > 0,
    "The public statistics page isn't carried over: share a report instead": link.publicStats,
    "Search engines may not index short URLs here": link.doIndex,
  }).flatMap(([text, has]) => (has ? [text] : []));

const msOf = (text: string | null | undefined): number | null => {
  const ms = Date.parse(text ?? "");
  return Number.isNaN(ms) ? null : ms;
};

const isoOf = (text: string | null | undefined): string | null => {
  const ms = msOf(text);
  return ms === null ? null : new Date(ms).toISOString();
};
