import type { ClicksEngine } from "#engines/clicks/clicks-engine.ts";
import { dayOf } from "#engines/clicks/slots.ts";
import type { Records } from "#engines/records/records.ts";
import type { Caller } from "#kernel/caller.ts";
import type { Clock } from "#kernel/clock.ts";
import { whenAvailable } from "./analytics.service.ts";
import { findLinkIds, findLinkNumbers } from "./analytics.store.ts";

/** So many UTC days, today included. */
export const LINK_DAYS = 30;

export interface LinkDays {
  readonly id: string;
  /** Oldest day first. */
  readonly clicks: number[];
}

export interface LinkDaysDeps {
  readonly records: Records;
  readonly clicks: Pick<ClicksEngine, "dailyClicks">;
  readonly clock: Clock;
}

/** The last days of several links at once, for lists: clicks only, since nothing else could be seen at that size. */
export function linkDaysService({ records, clicks, clock }: LinkDaysDeps) {
  return {
    /** Skips ids that aren't the caller's, and links without clicks. */
    async of({ accountNo }: Caller, ids: readonly string[]): Promise<LinkDays[]> {
      const toDay = dayOf(clock()) + 1;
      const fromDay = toDay - LINK_DAYS;
      const linkNumbers = await findLinkNumbers(records.read, accountNo, ids);
      const found = await whenAvailable(clicks.dailyClicks({ accountNo, linkNumbers, fromDay, toDay }));
      const idOf = await findLinkIds(records.read, accountNo, linkNumbers);
      const byLink = Map.groupBy(found, ({ linkNo }) => linkNo);
      return [...byLink].flatMap(([linkNo, days]) => {
        const id = idOf.get(linkNo);
        const counts = new Map(days.map(({ day, clicks: count }) => [day, count]));
        const series = Array.from({ length: LINK_DAYS }, (_, index) => counts.get(fromDay + index) ?? 0);
        return id === undefined ? [] : [{ id, clicks: series }];
      });
    },
  };
}
export type LinkDaysService = ReturnType<typeof linkDaysService>;
