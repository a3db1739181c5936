import type { LinkDaysService } from "#analytics/link-days.service.ts";
import { listLinkEvents as findLinkEvents } from "#audit/link-audit.ts";
import type { LiveClicks } from "#clicks/live/live-clicks.ts";
import {
  actOnLinks,
  checkSlug,
  exportLinks,
  listLinkDays,
  listLinkEvents,
  listLinkNames,
  listTagColors,
  listTags,
  resolveNewLink,
  tagLinks,
  watchClicks,
} from "#contract/console/links.ts";
import type { DryRunService } from "#dry-run/dry-run.service.ts";
import type { Records } from "#engines/records/records.ts";
import { type Route, route, Streamed } from "#http/route.ts";
import { streamText } from "#http/stream-text.ts";
import type { LinkService } from "#links/links.service.ts";
import type { TagService } from "#links/tags.service.ts";
import { findMembership } from "#members/memberships.ts";
import { isLiveSession } from "#sign-in/live-session.ts";
import { changeEach } from "./change-each.ts";
import type { ConsoleCaller } from "./console-caller.ts";
import { exportParts } from "./export-links.ts";
import { liveStream } from "./live-stream.ts";

interface Deps {
  readonly records: Records;
  readonly links: LinkService;
  readonly tags: Pick<TagService, "chosenColors">;
  readonly live: LiveClicks;
  readonly dryRun: Pick<DryRunService, "resolveNew">;
  readonly linkDays: LinkDaysService;
}

type Me = ConsoleCaller;

/** What the console needs beyond the API. */
export const consoleLinkRoutes = ({ records, links, tags, live, dryRun, linkDays }: Deps): readonly Route<Me>[] => [
  route(listTags, async (me: Me, { query }) => ({ data: await links.tags(me, query.q) })),
  route(listTagColors, async (me: Me) => ({ data: await tags.chosenColors(me) })),
  route(listLinkNames, async (me: Me, { query }) => ({ data: await links.names(me, query.id) })),
  route(listLinkDays, async (me: Me, { query }) => ({ data: await linkDays.of(me, query.id) })),
  route(checkSlug, (me: Me, { params, query }) => links.checkSlug(me, params.slug, query.domain)),
  route(resolveNewLink, (me: Me, { body }) => dryRun.resolveNew(me, body)),
  route(actOnLinks, (me: Me, { body: { ids, action } }) =>
    changeEach(ids, (id) => {
      if (action === "delete") return links.moveToTrash(me, id, null);
      if (action === "restore") return links.restore(me, id, null);
      return action === "erase" ? links.delete(me, id, null, { permanent: true }) : links.act(me, id, action, null);
    }),
  ),
  route(tagLinks, (me: Me, { body: { ids, ...change } }) =>
    changeEach(ids, (id) => links.changeTags(me, id, change, null)),
  ),
  route(listLinkEvents, async (me: Me, { params: { id }, query }) => {
    await links.get(me, id);
    return { data: await findLinkEvents(records, me, id, query) };
  }),
  route(exportLinks, async (me: Me, { query: { format } }) => {
    const name = `links-${new Date().toISOString().slice(0, 10)}.${format}`;
    const headers = { "content-disposition": `attachment; filename="${name}"` };
    const mediaType = format === "csv" ? "text/csv" : "application/json";
    return new Streamed(mediaType, await streamText(exportParts(links, me, format), false), headers);
  }),
  route(watchClicks, async (me: Me) => {
    const { accountNo, sessionId: listenerId } = me;
    const isAllowed = () => isStillMember(records, me);
    const body = liveStream({ live, records, accountNo, listenerId, isAllowed });
    // Stops proxies from buffering the stream, which would delay clicks.
    return new Streamed("text/event-stream", body, { "x-accel-buffering": "no" });
  }),
];

/** A stream outlives its request, so access is checked again while it runs. */
async function isStillMember({ read }: Records, { userId, sessionId, accountId, signedInBy }: Me): Promise<boolean> {
  if (!(await isLiveSession(read, sessionId, Date.now()))) return false;
  const membership = await findMembership(read, userId, accountId);
  return membership !== null && (!membership.ssoRequired || signedInBy === "sso");
}
