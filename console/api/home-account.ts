import type { Membership } from "#contract/console/session.ts";

const KEY = "kurz.account";

/** The account that was on screen last. */
export const rememberAccount = (id: string): void => localStorage.setItem(KEY, id);

/** The one to begin with. */
export const homeAccount = (accounts: readonly Membership[]): Membership | undefined =>
  accounts.find(({ id }) => id === localStorage.getItem(KEY)) ??
  accounts.find(({ needs_sso }) => !needs_sso) ??
  accounts[0];
