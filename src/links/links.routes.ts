import { BULK_OPERATIONS_PER_REQUEST } from "#contract/limits.ts";
import { bulkLinks } from "#contract/link-bulk.ts";
import { exportLinks } from "#contract/link-export.ts";
import { getLinkHistory, revertLink } from "#contract/link-history.ts";
import { upsertLink } from "#contract/link-upsert.ts";
import {
  archiveLink,
  changeLinkTags,
  countLinks,
  createLink,
  deleteLink,
  getLink,
  listLinks,
  pauseLink,
  restoreLink,
  resumeLink,
  unarchiveLink,
  updateLink,
} from "#contract/links.ts";
import { type Route, route } from "#http/route.ts";
import type { Clock } from "#kernel/clock.ts";
import type { DestinationRules } from "#shared/destination-rules.ts";
import { linkBodyCheck } from "./check-link-body.ts";
import type { LinkService } from "./links.service.ts";

export function linkRoutes(links: LinkService, destinations: DestinationRules, clock: Clock): readonly Route[] {
  const checkBody = linkBodyCheck(destinations, clock);
  return [
    route(listLinks, (caller, { query }) => links.list(caller, query)),
    route(countLinks, (caller, { query }) => links.count(caller, query)),
    route(exportLinks, async (caller, { query }) => links.export(caller, query)),
    route(createLink, (caller, { body, idempotency }) => links.create(caller, body, idempotency), { checkBody }),
    route(getLink, (caller, { params }) => links.get(caller, params.id)),
    route(updateLink, (caller, { params, body, ifMatch }) => links.update(caller, params.id, body, ifMatch), {
      checkBody,
    }),
    route(changeLinkTags, (caller, { params, body, ifMatch }) => links.changeTags(caller, params.id, body, ifMatch)),
    route(deleteLink, (caller, { params, query, ifMatch }) => links.delete(caller, params.id, ifMatch, query)),
    route(pauseLink, (caller, { params, ifMatch }) => links.act(caller, params.id, "pause", ifMatch)),
    route(resumeLink, (caller, { params, ifMatch }) => links.act(caller, params.id, "resume", ifMatch)),
    route(archiveLink, (caller, { params, ifMatch }) => links.act(caller, params.id, "archive", ifMatch)),
    route(unarchiveLink, (caller, { params, ifMatch }) => links.act(caller, params.id, "unarchive", ifMatch)),
    route(getLinkHistory, (caller, { params, query }) => links.history(caller, params.id, query)),
    route(revertLink, (caller, { params, body, ifMatch }) => links.revert(caller, params.id, body.version, ifMatch)),
    route(
      upsertLink,
      (caller, { params, body, ifMatch }) => links.upsert(caller, params.external_id, body, ifMatch),
      // A time that has passed may be the one that the link has.
      { checkBody: ({ expires_at: _, ...body }) => checkBody(body) },
    ),
    route(bulkLinks, (caller, { body, idempotency }) => links.bulk(caller, body, idempotency), {
      extraCost: ({ operations }) => Math.floor(operations.length / BULK_OPERATIONS_PER_REQUEST),
    }),
    route(restoreLink, (caller, { params, ifMatch }) => links.restore(caller, params.id, ifMatch)),
  ];
}
