import type { ConsoleState, Membership } from "#contract/console/session.ts";
import { homeAccount } from "./home-account.ts";
import { prefetch } from "./prefetched.ts";

// A screen and what is just below it come first; anyone who scrolls on wants many.
export const FIRST_PAGE_LINKS = 30;

// Written out: the contract would bring its schemas into the page. A browser test sees that they match what is called.
export const STATE_URL = "/console/api/state";
export const LINKS_URL = `/console/api/v1/links?limit=${FIRST_PAGE_LINKS}`;

/** Requests what the list of links needs before it can be shown, while the application is being loaded. */
export function prefetchList(): void {
  void prefetch(STATE_URL, null, (state) => {
    const account = listedAccount(state as ConsoleState, location);
    if (account) void prefetch(LINKS_URL, account.id);
  });
}

/** The account whose whole list an address leads to. */
export function listedAccount(
  { session }: ConsoleState,
  { pathname, search }: Pick<Location, "pathname" | "search">,
): Membership | undefined {
  const accounts = session?.accounts ?? [];
  if (search !== "") return undefined;
  if (/^\/console\/?$/.test(pathname)) return homeAccount(accounts);
  const [, shown] = /^\/console\/a\/([^/]+)\/links\/?$/.exec(pathname) ?? [];
  return accounts.find(({ id }) => id === shown);
}
