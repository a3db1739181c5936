import { z } from "zod";
import type { ImportedLink } from "#imports/import-source.ts";
import type { TimeZone } from "#shared/time-zone.ts";
import { FittedTexts } from "./fit-texts.ts";
import { rulesOf } from "./shlink-rules.ts";
import { isoOf, momentIn } from "./source-times.ts";

export const ShlinkLink = z.object({
  shortCode: z.string(),
  shortUrl: z.url(),
  longUrl: z.string(),
  dateCreated: z.string().nullish(),
  visitsSummary: z.object({ total: z.number().int().min(0) }),
  tags: z.array(z.string()).default([]),
  meta: z.object({
    validSince: z.string().nullish(),
    validUntil: z.string().nullish(),
    maxVisits: z.number().int().nullish(),
  }),
  domain: z.string().nullish(),
  title: z.string().nullish(),
  crawlable: z.boolean().default(false),
  forwardQuery: z.boolean().default(true),
  /** Since 4.3; those from 4.0 on have rules, too. */
  hasRedirectRules: z.boolean().nullish(),
  /** What there was before rules, since 3.5. */
  deviceLongUrls: z.record(z.string(), z.string().nullable()).nullish(),
});
export type ShlinkLink = z.output<typeof ShlinkLink>;

export function toLink(link: ShlinkLink, rules: readonly unknown[], zone: TimeZone): ImportedLink {
  const { shortCode, longUrl, title, tags, meta, visitsSummary, crawlable, forwardQuery } = link;
  const host = new URL(link.shortUrl).hostname;
  const texts = new FittedTexts();
  // Shlink counts programs, too, so some of these may not have been people.
  const maxVisits = meta.maxVisits ?? null;
  const fields = {
    destination_url: longUrl,
    title: title ?? null,
    tags,
    starts_at: isoOf(momentIn(meta.validSince, zone)),
    expires_at: isoOf(momentIn(meta.validUntil, zone)),
    max_clicks: maxVisits !== null && maxVisits > 0 ? maxVisits : null,
    forward_query: forwardQuery,
    rules: rulesOf(rules, texts),
  };
  if (crawlable) texts.lose("Search engines may not crawl short URLs here");
  if (maxVisits === 0) texts.lose("A limit of 0 visits isn't possible here: the link is paused");
  return {
    sourceId: `${host}/${shortCode}`,
    slug: shortCode,
    host,
    fields,
    state: maxVisits === 0 ? "paused" : "active",
    createdAt: momentIn(link.dateCreated, zone),
    hadPassword: false,
    usedClicks: fields.max_clicks === null ? 0 : visitsSummary.total,
    losses: texts.losses,
  };
}
