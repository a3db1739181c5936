import { finishSingleSignOn, startSingleSignOn } from "#contract/console/single-sign-on.ts";
import { type Route, route } from "#http/route.ts";
import { ApiError } from "#kernel/api-error.ts";
import type { Requester } from "#sign-in/requester.ts";
import type { SingleSignOnService } from "./single-sign-on.service.ts";

/** Callable without signing in. */
export const singleSignOnRoutes = (sso: SingleSignOnService | null): readonly Route<Requester>[] => [
  route(startSingleSignOn, async (requester: Requester, { body }) =>
    get(sso).start(requester, { next: body.next ?? null, confirms: body.confirm === true }),
  ),
  route(finishSingleSignOn, async (requester: Requester, { body }) => get(sso).finish(requester, body)),
];

function get(sso: SingleSignOnService | null): SingleSignOnService {
  if (sso) return sso;
  throw new ApiError("not_found", "This server has no single sign-on.");
}
