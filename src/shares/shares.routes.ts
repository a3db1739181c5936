import { listLinkShares, listShares, revokeShare, shareLink } from "#contract/shares.ts";
import { type Route, route } from "#http/route.ts";
import type { ShareService } from "./shares.service.ts";

export const shareRoutes = (shares: ShareService): readonly Route[] => [
  route(shareLink, (caller, { params: { id }, body, idempotency }) => shares.create(caller, id, body, idempotency), {
    checkBody: shares.findProblems,
  }),
  route(listLinkShares, async (caller, { params: { id } }) => ({ data: await shares.ofLink(caller, id) })),
  route(listShares, (caller, { query }) => shares.list(caller, query)),
  route(revokeShare, async (caller, { params: { id } }) => {
    await shares.revoke(caller, id);
    return undefined;
  }),
];
