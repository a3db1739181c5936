import type { InfiniteData, QueryClient } from "@tanstack/react-query";
import { LINKS_URL, listedAccount, STATE_URL } from "#console/api/prefetch-list.ts";
import { takeArrived } from "#console/api/prefetched.ts";
import { stateKey } from "#console/api/session.tsx";
import { listKey } from "#console/links/link-cache.ts";
import type { ConsoleState } from "#contract/console/session.ts";

/** With what the page has prefetched, as far as it has arrived, so that the first render shows the list. */
export function fillCache(client: QueryClient): void {
  const state = takeArrived(STATE_URL, null);
  if (!state) return;
  client.setQueryData(stateKey, state.content, state);
  const account = listedAccount(state.content as ConsoleState, location);
  const links = account && takeArrived(LINKS_URL, account.id);
  if (account && links) {
    const pages: InfiniteData<unknown, null> = { pages: [links.content], pageParams: [null] };
    client.setQueryData(listKey(account.id, {}), pages, links);
  }
}
