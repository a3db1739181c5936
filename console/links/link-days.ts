import { useQuery } from "@tanstack/react-query";
import { askTogether } from "#console/api/ask-together.ts";
import { call } from "#console/api/call.ts";
import { useWorkspace } from "#console/api/session.tsx";
import { LINK_DAYS_LINKS_MAX, listLinkDays } from "#contract/console/links.ts";
import type { Link } from "#contract/link-record.ts";

type DaysById = ReadonlyMap<string, readonly number[]>;

const FRESH_MS = 300_000;
const DAYS_MS = 31 * 86_400_000;

const askLinkDays = askTogether<DaysById>({
  most: LINK_DAYS_LINKS_MAX,
  async ask(id, accountId) {
    const { data } = await call(listLinkDays, { query: { id: [...id] } }, accountId);
    return new Map(data.map(({ id, clicks }) => [id, clicks]));
  },
});

/** Clicks on each of the last 30 days; empty if there are none, `undefined` until it is known. */
export function useLinkDays({ id, last_clicked_at }: Link): readonly number[] | undefined {
  const { account } = useWorkspace();
  const isRecent = last_clicked_at !== null && Date.now() - Date.parse(last_clicked_at) < DAYS_MS;
  const { data } = useQuery({
    queryKey: ["link-days", account.id, id],
    queryFn: async () => (await askLinkDays(id, account.id)).get(id) ?? [],
    staleTime: FRESH_MS,
    enabled: isRecent,
  });
  return isRecent ? data : [];
}
