import { noSudo } from "#contract/console/sudo.ts";
import type { Route } from "#http/route.ts";
import { ApiError } from "#kernel/api-error.ts";

/** What people may change in a demo: their session, and what the account is there to try out. */
const ALLOWED =
  /^(?:links|shares|tags|console\.(?:links|qr_design|utm_templates|sign_in|sign_out|sudo|webhooks|deliveries))(?:\.|$)/;

/**
 * Everyone in a demo shares the credentials, tokens, members and account: the first person to change them would lock out
 * the rest. Operations added later are refused by default.
 */
export const refuseInDemo = <C>(routes: readonly Route<C>[]): Route<C>[] =>
  routes.map((route) => {
    const { endpoint } = route;
    if (endpoint.method === "GET" || ALLOWED.test(endpoint.id)) return route;
    return { ...route, endpoint: { ...endpoint, sudo: refused }, handle: () => Promise.reject(notInDemo()) };
  });

const refused = noSudo("The demo always refuses it.");

const notInDemo = (): ApiError =>
  new ApiError("not_in_demo", "You can't change this in the demo: everyone shares this account.");
