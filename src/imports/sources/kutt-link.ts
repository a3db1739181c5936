import { TITLE_LENGTH_MAX } from "#contract/limits.ts";
import type { ImportedLink } from "#imports/import-source.ts";
import { TOTAL_LOSS, totalOf } from "./click-total.ts";
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

/** How people know a link: its id is nowhere to be seen in Kutt. */
export const whereOf = (host: string, slug: string): string => `${host}/${slug}`.replace(/^\//, "");

export function toLink(link: KuttLink): ImportedLink {
  const { sourceId, slug, host, target, description, isBanned, hadPassword, expiresAt, createdAt, undatedClicks } =
    link;
  const isTitle = description !== null && description.length <= TITLE_LENGTH_MAX && !description.includes("\n");
  const fields = {
    // Kutt stores such a sign as it was typed, and encodes it whenever it redirects.
    destination_url: target.replaceAll(/%(?![\dA-Fa-f]{2})/g, "%25"),
    title: isTitle ? description : null,
    notes: isTitle ? null : description,
    expires_at: isoOf(expiresAt),
    forward_query: false,
    metadata: undatedClicks > 0 ? totalOf(undatedClicks) : null,
  };
  const losses = [
    ...(isBanned ? ["Kutt's operator has banned the link: it is paused"] : []),
    ...(undatedClicks > 0 ? [TOTAL_LOSS] : []),
  ];
  const state = isBanned ? "paused" : "active";
  return { sourceId, slug, host, fields, state, createdAt, hadPassword, usedClicks: 0, losses };
}
