import type { ObstacleCode, Resolution } from "#contract/resolve.ts";
import { toTimestamp } from "#kernel/clock.ts";
import type { LinkDraft } from "#links/link-draft.ts";

type Obstacle = Resolution["obstacles"][number];

/** Everything that keeps visitors from the destination, in the order in which it counts. */
export function obstaclesOf({ row, usedClicks }: LinkDraft, atMs: number): readonly Obstacle[] {
  const { expires_at: expiresAt, settings } = row;
  const startsAt = settings?.starts_at ?? null;
  const clicksMax = settings?.max_clicks ?? null;
  const found: [applies: boolean, code: ObstacleCode, message: string][] = [
    [row.blocked_reason !== null, "blocked", `The operator blocked the link (${row.blocked_reason}).`],
    [row.state === "archived", "archived", "The link is archived."],
    [
      expiresAt !== null && expiresAt <= atMs,
      "expired",
      `The link has been expired since ${toTimestamp(expiresAt ?? 0)}.`,
    ],
    [
      clicksMax !== null && usedClicks >= clicksMax,
      "exhausted",
      `All ${clicksMax} clicks that the link allows are used up.`,
    ],
    [row.state === "paused", "paused", "The link is paused."],
    [
      startsAt !== null && startsAt > atMs,
      "scheduled",
      `The link doesn't redirect before ${toTimestamp(startsAt ?? 0)}.`,
    ],
    [row.guarded, "password", "Visitors must enter the password first."],
  ];
  return found.filter(([applies]) => applies).map(([, code, message]) => ({ code, message }));
}
