import type { AnalyticsReport } from "#contract/analytics.ts";
import type { Link } from "#contract/link-record.ts";
import type { LinkApi } from "./link-api.ts";
import { until } from "./until.ts";

export const BROWSER =
  "Mozilla/5.0 (X11; Linux x86_64) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/130.0.0.0 Safari/537.36";

/** What both sides say of a link's clicks: its counter and its report. -1 where they cannot be asked. */
export interface ClickCounts {
  readonly counter: number;
  readonly report: number;
}

const STANDS_FOR = 6;
const LOOK_EVERY_MS = 200;

/** Opens a short link as a person does; a connection of its own each time, so that any process may answer. */
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

/** The counts once both hold at least so many and stand still although nobody clicks: a doubled one would still come. */
export async function settledCounts(api: LinkApi, id: string, atLeast: number): Promise<ClickCounts> {
  let last: ClickCounts = { counter: -1, report: -1 };
  let unchanged = 0;
  await until(
    `at least ${atLeast} clicks, and no more come`,
    async () => {
      const counts = await countsOf(api, id);
      unchanged = Bun.deepEquals(counts, last) ? unchanged + 1 : 0;
      last = counts;
      await Bun.sleep(LOOK_EVERY_MS);
      return Math.min(counts.counter, counts.report) >= atLeast && unchanged >= STANDS_FOR;
    },
    45_000,
  ).catch((error) => {
    throw new Error(`${error.message}; the last were ${JSON.stringify(last)}`);
  });
  return last;
}
