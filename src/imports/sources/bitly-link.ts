import { z } from "zod";
import type { ImportedLink } from "#imports/import-source.ts";

export const BitlyLink = z.object({
  /** Host and back-half. */
  id: z.string().regex(/^[^/]+\/.+$/),
  long_url: z.string(),
  title: z.string().nullish(),
  archived: z.boolean().default(false),
  tags: z.array(z.string()).nullish(),
  created_at: z.string().nullish(),
  custom_bitlinks: z.array(z.string()).nullish(),
  deeplinks: z.array(z.unknown()).nullish(),
  campaign_ids: z.array(z.unknown()).nullish(),
});

/** The link itself, and each of its custom back-halves, which lead to the same place. Clicks are with the first. */
export function toLinks(link: z.output<typeof BitlyLink>, losses: readonly string[]): ImportedLink[] {
  const { id, long_url: url, title, archived, tags, created_at: createdAt, custom_bitlinks: custom } = link;
  const fields = { destination_url: url, title: title ?? null, tags: tags ?? [] };
  const lost = [
    ...(link.deeplinks?.length ? ["Links into apps aren't carried over"] : []),
    ...(link.campaign_ids?.length ? ["Campaigns aren't carried over"] : []),
  ];
  const created = Date.parse(createdAt ?? "");
  const ids = new Set([id, ...(custom ?? []).map((text) => text.replace(/^https?:\/\//, ""))]);
  return Array.from(ids, (one) => {
    const slash = one.indexOf("/");
    return {
      sourceId: one,
      slug: one.slice(slash + 1),
      host: one.slice(0, slash),
      fields,
      state: archived ? "archived" : "active",
      createdAt: Number.isNaN(created) ? null : created,
      hadPassword: false,
      usedClicks: 0,
      losses: one === id ? [...lost, ...losses] : lost,
    };
  });
}
