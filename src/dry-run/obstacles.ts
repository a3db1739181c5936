import { classifyUserAgent } from "#clicks/classify/user-agent.ts";
import type { LinkVisit, ObstacleCode, Resolution } from "#contract/resolve.ts";
import { toTimestamp } from "#kernel/clock.ts";
import type { LinkDraft } from "#links/link-draft.ts";
import { outcomeOf } from "#redirect/outcome.ts";
import { isPreviewBot } from "#redirect/preview-bots.ts";
import { isAmbiguousPath } from "#redirect/request-target.ts";

type Obstacle = Resolution["obstacles"][number];

/** Everything that keeps visitors from the destination, in the order in which it counts. */
export function obstaclesOf(draft: LinkDraft, visit: LinkVisit, atMs: number): readonly Obstacle[] {
  const { row, usedClicks, host } = draft;
  const { settings } = row;
  const clicksMax = settings?.max_clicks ?? null;
  const isExhausted = clicksMax !== null && usedClicks >= clicksMax;
  const isAgent = visit.user_agent !== undefined;
  const isCardBot = isAgent && isPreviewBot(visit.user_agent ?? null);
  const isBot = isCardBot || (isAgent && classifyUserAgent(visit.user_agent ?? "").isBot);
  const found: [applies: boolean, code: ObstacleCode, message: string][] = [
    [!host.knowsLink, "domain", "The account has lost the link's domain, so visitors don't get to the link."],
    [!acceptsPath(draft, visit.path), "path", "Nothing may follow the slug of this link, or not this path."],
    ...statesOf(draft, atMs),
    [
      isExhausted,
      "exhausted",
      clicksMax === 1
        ? "The only click that the link allows is used up."
        : `All ${clicksMax} clicks that the link allows are used up.`,
    ],
    [isCardBot && settings?.preview !== undefined, "card", "Chats and social networks get the preview card."],
    [row.guarded, "password", "Visitors must enter the password first."],
    // Once the limit is reached, they get what everyone gets.
    [
      isBot && clicksMax !== null && !isExhausted,
      "bot",
      "Programs get a page without the destination, and use up no clicks.",
    ],
  ];
  return found.filter(([applies]) => applies).map(([, code, message]) => ({ code, message }));
}

/** A slash alone makes no difference. */
export const isBelowSlug = (path: string | undefined): boolean => path !== undefined && path !== "/";

const acceptsPath = ({ row, slug }: LinkDraft, path: string | undefined): boolean =>
  !isBelowSlug(path) || (row.settings?.forward_path === true && !isAmbiguousPath(`/${slug}${path}`));

/** The states of a link, each asked of the redirect's own judgement with all others taken away. */
function statesOf({ row }: LinkDraft, atMs: number): [applies: boolean, code: ObstacleCode, message: string][] {
  const free = { ...row, blocked_reason: null, state: "active" as const, expires_at: null, settings: null };
  const { blocked_reason, state, expires_at, settings } = row;
  const isSo = (code: ObstacleCode, part: Partial<typeof row>): boolean =>
    outcomeOf({ ...free, ...part }, atMs) === code;
  return [
    [isSo("blocked", { blocked_reason }), "blocked", `The operator blocked the link (${blocked_reason}).`],
    [isSo("archived", { state }), "archived", "The link is archived."],
    [isSo("expired", { expires_at }), "expired", `The link has been expired since ${toTimestamp(expires_at ?? 0)}.`],
    [isSo("paused", { state }), "paused", "The link is paused."],
    [
      isSo("scheduled", { settings }),
      "scheduled",
      `The link doesn't redirect before ${toTimestamp(settings?.starts_at ?? 0)}.`,
    ],
  ];
}
