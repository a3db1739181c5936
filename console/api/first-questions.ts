import type { ConsoleState, Membership } from "#contract/console/session.ts";
import { askEarly } from "./early-answers.ts";
import { homeAccount } from "./home-account.ts";

// A screen and what is just below it come first; anyone who scrolls on wants many.
export const FIRST_PAGE_LINKS = 30;

// Written out: the contract would bring its schemas into the page. A test in a browser sees that each is asked once.
export const STATE_URL = "/console/api/state";
export const LINKS_URL = `/console/api/v1/links?limit=${FIRST_PAGE_LINKS}`;

/** What the list of links needs before it can be shown, asked for while the script is on its way. */
export async function askFirst(): Promise<void> {
  const state = await askEarly(STATE_URL, null);
  const account = state ? listedAccount(state as ConsoleState, location) : undefined;
  if (account) await askEarly(LINKS_URL, account.id);
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
