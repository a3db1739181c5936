import { resolveLink } from "#contract/resolve.ts";
import { type Route, route } from "#http/route.ts";
import type { DryRunService } from "./dry-run.service.ts";

export const dryRunRoutes = (visits: DryRunService): readonly Route[] => [
  route(resolveLink, (caller, { params, body }) => visits.resolve(caller, params.id, body)),
];
