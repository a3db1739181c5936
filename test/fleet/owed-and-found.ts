import type { AnalyticsReport } from "#contract/analytics.ts";
import { type Fleet, inTurn } from "#test/support/fleet.ts";
import { until } from "#test/support/until.ts";
import type { Owed } from "./traffic.ts";

/** What the deployment has, beside what its clients were told. */
export interface Balance {
  readonly answered: number;
  readonly unanswered: number;
  /** On links, and in the reports of all nodes. */
  readonly counted: number;
  readonly reported: number;
  readonly problems: readonly string[];
}

const PATIENCE_MS = 120_000;
const UNCHANGED_MIN = 4;
const CHECK_INTERVAL_MS = 300;

interface Found {
  readonly clicks: ReadonlyMap<string, number>;
  readonly titles: ReadonlyMap<string, number>;
  readonly counted: number;
  readonly reported: number;
}

/** Waits until all clicks are counted and no more are, then compares. Nobody may visit or write meanwhile. */
export async function balance(fleet: Fleet, { answered, unanswered, created, titles }: Owed): Promise<Balance> {
  const owed = { answered: sum(answered), unanswered: sum(unanswered) };
  const found = await settle(fleet, owed.answered);
  const problems: string[] = [];
  for (const slug of new Set([...answered.keys(), ...unanswered.keys()])) {
    const [least, clicks] = [answered.get(slug) ?? 0, found.clicks.get(slug) ?? 0];
    const most = least + (unanswered.get(slug) ?? 0);
    if (clicks < least || clicks > most) problems.push(`/${slug} has ${clicks} clicks of ${least} to ${most}`);
  }
  for (const id of created) if (!found.titles.has(id)) problems.push(`${id} was acknowledged and is missing`);
  for (const [id, title] of titles) {
    // One that wasn't acknowledged may have been written.
    if ((found.titles.get(id) ?? 0) < title) problems.push(`change ${title} of ${id} was acknowledged and is missing`);
  }
  if (found.reported !== found.counted) problems.push(`reports have ${found.reported} clicks, links ${found.counted}`);
  return { ...owed, counted: found.counted, reported: found.reported, problems };
}

async function settle(fleet: Fleet, atLeast: number): Promise<Found> {
  let last: Found | undefined;
  let unchanged = 0;
  await until(
    `at least ${atLeast} clicks, and no more arrive`,
    async () => {
      const found = await look(fleet);
      const isSame = found.counted === last?.counted && found.reported === last.reported;
      unchanged = isSame ? unchanged + 1 : 0;
      last = found;
      await Bun.sleep(CHECK_INTERVAL_MS);
      const isEven = found.counted === found.reported;
      return isEven && found.counted >= atLeast && unchanged >= UNCHANGED_MIN;
    },
    PATIENCE_MS,
  ).catch((error: Error) => {
    throw new Error(`${error.message}: links have ${last?.counted}, reports ${last?.reported}`);
  });
  return last as Found;
}

async function look({ apis }: Fleet): Promise<Found> {
  const links = await inTurn(apis, 0).list();
  const reports = await Promise.all(
    apis.map(async (api) => (await api.ask("GET", "/analytics?interval=24h")).json() as Promise<AnalyticsReport>),
  );
  return {
    clicks: new Map(links.map(({ slug, click_count }) => [slug, click_count])),
    titles: new Map(links.map(({ id, title }) => [id, Number(title ?? 0)])),
    counted: links.reduce((total, { click_count }) => total + click_count, 0),
    reported: reports.reduce((total, { totals }) => total + totals.clicks, 0),
  };
}

const sum = (counts: ReadonlyMap<string, number>): number => [...counts.values()].reduce((a, b) => a + b, 0);
