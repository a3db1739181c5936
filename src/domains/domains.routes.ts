import { createDomain, deleteDomain, getDomain, listDomains, updateDomain, verifyDomain } from "#contract/domains.ts";
import { type Route, route } from "#http/route.ts";
import type { DomainService } from "./domains.service.ts";

export const domainRoutes = (domains: DomainService): readonly Route[] => [
  route(listDomains, (caller, { query }) => domains.list(caller, query)),
  route(createDomain, (caller, { body, idempotency }) => domains.create(caller, body, idempotency)),
  route(getDomain, (caller, { params }) => domains.get(caller, params.id)),
  route(updateDomain, (caller, { params, body, ifMatch }) => domains.update(caller, params.id, body, ifMatch)),
  route(deleteDomain, (caller, { params, ifMatch }) => domains.delete(caller, params.id, ifMatch)),
  route(verifyDomain, (caller, { params, ifMatch }) => domains.verify(caller, params.id, ifMatch)),
];
