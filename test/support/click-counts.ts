import type { AnalyticsReport } from "#contract/analytics.ts";
import type { Link } from "#contract/link-record.ts";
import type { LinkApi } from "./link-api.ts";
import { until } from "./until.ts";

export const BROWSER =
  "Mozilla/5.0 (X11; Linux x86_64) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/130.0.0.0 Safari/537.36";

/** A link's clicks in its counter and in its report; -1 if it can't be read. */
export interface ClickCounts {
  readonly counter: number;
  readonly report: number;
}

const UNCHANGED_MIN = 6;
const CHECK_INTERVAL_MS = 200;

/** Visits a short link as a person does, on a new connection each time, so that any process may answer. */
export async function clickOnce(url: string): Promise<number> {
  const { status } = await fetch(url, {
    redirect: "manual",
    keepalive: false,
    headers: { "user-agent": BROWSER },
  });
  return status;
}

export async function countsOf(api: LinkApi, id: string): Promise<ClickCounts> {
  const [link, report] = await Promise.all([
    read<Link>(api, `/links/${id}`),
    read<AnalyticsReport>(api, `/links/${id}/analytics?interval=24h`),
  ]);
  return { counter: link?.click_count ?? -1, report: report?.totals.clicks ?? -1 };
}

async function read<T>(api: LinkApi, path: string): Promise<T | null> {
  const answer = await api.ask("GET", path).catch(() => null);
  return answer?.status === 200 ? ((await answer.json()) as T) : null;
}

/** The counts once both are at least that high and no longer change: a click counted twice would still show up. */
export async function settledCounts(api: LinkApi, id: string, atLeast: number): Promise<ClickCounts> {
  let last: ClickCounts = { counter: -1, report: -1 };
  let unchanged = 0;
  await until(
    `at least ${atLeast} clicks, and no more arrive`,
    async () => {
      const counts = await countsOf(api, id);
      unchanged = Bun.deepEquals(counts, last) ? unchanged + 1 : 0;
      last = counts;
      await Bun.sleep(CHECK_INTERVAL_MS);
      return Math.min(counts.counter, counts.report) >= atLeast && unchanged >= UNCHANGED_MIN;
    },
    300_000,
  ).catch((error) => {
    throw new Error(`${error.message}; the last were ${JSON.stringify(last)}`);
  });
  return last;
}
