import { noSudo } from "#contract/console/sudo.ts";
import type { Route } from "#http/route.ts";
import { ApiError } from "#kernel/api-error.ts";

/** What visitors of a demo may change: their session, and what the account is there to try out. */
const ALLOWED = /^(?:links|console\.(?:sign_in|sign_out|sudo|webhooks|deliveries))(?:\.|$)/;

/**
 * Credentials, tokens, people and the account are shared by all visitors of a demo: the first one who changes them would
 * lock out the rest. What nobody thought of is refused, too.
 */
export const refuseInDemo = <C>(routes: readonly Route<C>[]): Route<C>[] =>
  routes.map((route) => {
    const { endpoint } = route;
    if (endpoint.method === "GET" || ALLOWED.test(endpoint.id)) return route;
    return { ...route, endpoint: { ...endpoint, sudo: refused }, handle: () => Promise.reject(notInDemo()) };
  });

const refused = noSudo("The demo refuses it in any case.");

const notInDemo = (): ApiError =>
  new ApiError("not_in_demo", "The demo does not allow it: everybody here shares this account.");
