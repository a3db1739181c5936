import { useQuery } from "@tanstack/react-query";
import { call } from "#console/api/call.ts";
import { useWorkspace } from "#console/api/session.tsx";
import { LINK_DAYS_LINKS_MAX, listLinkDays } from "#contract/console/links.ts";
import type { Link } from "#contract/link-record.ts";

type DaysById = ReadonlyMap<string, readonly number[]>;

interface Batch {
  readonly ids: Set<string>;
  readonly answer: Promise<DaysById>;
}

// The rows that come into sight while someone scrolls ask together.
const COLLECT_MS = 120;
const FRESH_MS = 300_000;
const DAYS_MS = 31 * 86_400_000;

const waiting = new Map<string, Batch>();

function openBatch(accountId: string): Batch {
  const ids = new Set<string>();
  const answer = new Promise<void>((resolve) => setTimeout(resolve, COLLECT_MS)).then(async () => {
    if (waiting.get(accountId)?.ids === ids) waiting.delete(accountId);
    const { data } = await call(listLinkDays, { query: { id: [...ids] } }, accountId);
    return new Map(data.map(({ id, clicks }) => [id, clicks]));
  });
  const batch = { ids, answer };
  waiting.set(accountId, batch);
  return batch;
}

async function askLinkDays(accountId: string, id: string): Promise<readonly number[]> {
  const open = waiting.get(accountId);
  const batch = open && open.ids.size < LINK_DAYS_LINKS_MAX ? open : openBatch(accountId);
  batch.ids.add(id);
  return (await batch.answer).get(id) ?? [];
}

/** Clicks on each of the last 30 days; empty if there are none, `undefined` until it is known. */
export function useLinkDays({ id, last_clicked_at }: Link): readonly number[] | undefined {
  const { account } = useWorkspace();
  const isRecent = last_clicked_at !== null && Date.now() - Date.parse(last_clicked_at) < DAYS_MS;
  const { data } = useQuery({
    queryKey: ["link-days", account.id, id],
    queryFn: () => askLinkDays(account.id, id),
    staleTime: FRESH_MS,
    enabled: isRecent,
  });
  return isRecent ? data : [];
}
