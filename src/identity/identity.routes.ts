import { getIdentity } from "#contract/identity.ts";
import { type Route, route } from "#http/route.ts";
import { describeCaller, type IdentityDeps } from "./describe-caller.ts";

export const identityRoutes = (deps: IdentityDeps): readonly Route[] => [
  route(getIdentity, (caller) => describeCaller(deps, caller)),
];
