import type { ImportedLink } from "#imports/import-source.ts";
import { FittedTexts } from "./fit-texts.ts";
import { isoOf } from "./source-times.ts";

export interface KuttLink {
  readonly sourceId: string;
  readonly slug: string;
  readonly host: string;
  readonly target: string;
  readonly description: string | null;
  readonly isBanned: boolean;
  readonly hadPassword: boolean;
  readonly expiresAt: number | null;
  readonly createdAt: number | null;
  readonly undatedClicks: number;
}

export function toLink(link: KuttLink): ImportedLink {
  const { sourceId, slug, host, target, description, isBanned, hadPassword, expiresAt, createdAt } = link;
  const texts = new FittedTexts();
  const isTitle = description !== null && description.length <= 255 && !description.includes("\n");
  const fields = {
    destination_url: target,
    title: isTitle ? texts.title(description) : null,
    notes: isTitle ? null : texts.notes(description),
    expires_at: isoOf(expiresAt),
    forward_query: false,
  };
  if (isBanned) texts.lose("a ban by Kutt's operator (the link is paused)");
  if (link.undatedClicks > 0) texts.lose("clicks that Kutt only has a total of");
  const state = isBanned ? "paused" : "active";
  return { sourceId, slug, host, fields, state, createdAt, hadPassword, usedClicks: 0, losses: texts.losses };
}
