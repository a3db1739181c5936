import { getSharedLink, getSharedReport, openShare } from "#contract/share-page.ts";
import { type Route, route } from "#http/route.ts";
import type { ShareVisitor, ShareVisits } from "./share-visits.service.ts";

type Visitor = ShareVisitor;

export const sharePageRoutes = (visits: ShareVisits): readonly Route<Visitor>[] => [
  route(getSharedLink, (visitor: Visitor, { params: { token } }) => visits.link(visitor, token)),
  route(getSharedReport, (visitor: Visitor, { params: { token }, query }) => visits.report(visitor, token, query)),
  route(openShare, async (visitor: Visitor, { params: { token }, body: { password } }) => ({
    access: await visits.open(visitor, token, password),
  })),
];
