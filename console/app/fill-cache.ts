import type { InfiniteData, QueryClient } from "@tanstack/react-query";
import { takeEarlyContent } from "#console/api/early-answers.ts";
import { LINKS_URL, listedAccount, STATE_URL } from "#console/api/first-questions.ts";
import { stateKey } from "#console/api/session.tsx";
import { listKey } from "#console/links/link-cache.ts";
import type { ConsoleState } from "#contract/console/session.ts";

/** With what the page has asked for and is already there, so that its first picture is the whole one. */
export function fillCache(client: QueryClient): void {
  const state = takeEarlyContent(STATE_URL, null) as ConsoleState | undefined;
  if (!state) return;
  client.setQueryData(stateKey, state);
  const account = listedAccount(state, location);
  const page = account && takeEarlyContent(LINKS_URL, account.id);
  if (account && page) {
    const pages: InfiniteData<unknown, null> = { pages: [page], pageParams: [null] };
    client.setQueryData(listKey(account.id, {}), pages);
  }
}
