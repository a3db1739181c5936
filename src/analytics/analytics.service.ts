import type {
  AccountAnalyticsQuery,
  AccountDimension,
  AnalyticsQuery,
  AnalyticsReport,
  LinkAnalyticsQuery,
} from "#contract/analytics.ts";
import type { FieldError } from "#contract/errors.ts";
import {
  type BreakdownItem,
  type ClickScope,
  type ClicksEngine,
  ClicksMigrating,
  ClicksUnavailable,
  type ReportFilters,
} from "#engines/clicks/clicks-engine.ts";
import type { Records } from "#engines/records/records.ts";
import { ApiError, notFound, validationFailed } from "#kernel/api-error.ts";
import type { Caller } from "#kernel/caller.ts";
import type { Clock } from "#kernel/clock.ts";
import { findLinkEntry, findLinkIds, findManyLinkIds, getAccountCreatedMs } from "./analytics.store.ts";
import { accountFilters, textFilters } from "./click-filters.ts";
import {
  judgePeriod,
  type Moments,
  offsetsOf,
  type Period,
  previousRange,
  rangeOfAll,
  resolvePeriod,
} from "./period.ts";
import { type LinkIds, type NamedItem, nameItems, toReport } from "./report-record.ts";

export interface AnalyticsDeps {
  readonly records: Records;
  readonly clicks: Pick<ClicksEngine, "report" | "findOutside" | "breakdown">;
  readonly clock: Clock;
  /** The instance's own short domain. */
  readonly ownDomain: string;
}

type Account = Pick<Caller, "accountNo">;

interface Question {
  readonly accountNo: number;
  readonly link: { readonly no: number; readonly id: string } | null;
  readonly period: Period;
  readonly filters: ReportFilters;
  readonly query: AnalyticsQuery & { readonly group_by: readonly AccountDimension[] };
}

export interface WholeBreakdown {
  /** `null`: of the account. */
  readonly linkId: string | null;
  readonly dimension: AccountDimension;
  readonly items: AsyncGenerator<readonly NamedItem[]>;
}

const RETRY_AFTER_SECONDS = "2";

export function analyticsService({ records, clicks, clock, ownDomain }: AnalyticsDeps) {
  async function report({ accountNo, link, period, filters, query }: Question): Promise<AnalyticsReport> {
    const previous = query.compare === "previous" ? previousRange(period) : null;
    const groupBy = [...new Set(query.group_by)];
    const found = await whenAvailable(
      clicks.report({
        accountNo,
        linkNo: link?.no ?? null,
        fromMs: period.fromMs,
        toMs: period.toMs,
        bucketStartsMs: period.bucketStartsMs,
        filters,
        includeBots: query.include_bots,
        groupBy,
        limit: query.limit,
        breakdownVisitors: query.breakdown_visitors,
        previous,
        ...(query.week_hours && { weekOffsets: offsetsOf(period) }),
      }),
    );
    const numbers = found.breakdowns.get("link")?.items.map(({ key }) => Number(key)) ?? [];
    const linkIds: LinkIds = await findLinkIds(records.read, accountNo, numbers);
    return toReport(found, { linkId: link?.id ?? null, period, previous, linkIds, ownDomain });
  }

  /** Computing a thousand bucket starts takes milliseconds, so they are only recomputed if necessary. */
  async function periodSince(
    asked: Period,
    query: Query,
    { moments, ...scope }: ClickScope & { readonly moments: Moments },
  ): Promise<Period> {
    if (query.interval !== "all") return asked;
    const strays = await whenAvailable(clicks.findOutside(scope, rangeOfAll(moments)));
    return resolvePeriod(query, { ...moments, strays });
  }

  async function askOfLink({ accountNo }: Account, id: string, query: LinkAnalyticsQuery): Promise<Question> {
    const nowMs = clock();
    const asked = getAsked(query, nowMs);
    const link = await findLinkEntry(records.read, accountNo, id);
    if (!link) throw notFound();
    const moments = { nowMs, createdMs: link.created_at };
    const period = await periodSince(asked, query, { accountNo, linkNo: link.no, moments });
    return { accountNo, link: { no: link.no, id }, period, filters: textFilters(query), query };
  }

  async function askOfAccount({ accountNo }: Caller, query: AccountAnalyticsQuery): Promise<Question> {
    const nowMs = clock();
    const asked = getAsked(query, nowMs);
    const createdMs = await getAccountCreatedMs(records.read, accountNo);
    const period = await periodSince(asked, query, { accountNo, linkNo: null, moments: { nowMs, createdMs } });
    const filters = await accountFilters(query, { records, accountNo, ownDomain });
    return { accountNo, link: null, period, filters, query };
  }

  function wholeBreakdown({ accountNo, link, period, filters, query }: Question): WholeBreakdown {
    const [dimension] = query.group_by;
    if (dimension === undefined) throw new Error("a query without a breakdown");
    const items = clicks.breakdown({
      ...{ accountNo, linkNo: link?.no ?? null, fromMs: period.fromMs, toMs: period.toMs, filters },
      ...{ includeBots: query.include_bots, groupBy: dimension, breakdownVisitors: query.breakdown_visitors },
    });
    return { linkId: link?.id ?? null, dimension, items: namedItems(items, { accountNo, dimension }) };
  }

  /** As the API names them; see `toReport`. */
  async function* namedItems(
    items: AsyncGenerator<readonly BreakdownItem[]>,
    { accountNo, dimension }: { readonly accountNo: number; readonly dimension: AccountDimension },
  ): AsyncGenerator<readonly NamedItem[]> {
    for await (const some of eachWhenAvailable(items)) {
      const linkIds =
        dimension === "link"
          ? await findManyLinkIds(
              records.read,
              accountNo,
              some.map(({ key }) => Number(key)),
            )
          : new Map();
      yield nameItems(dimension, some, { linkIds, ownDomain });
    }
  }

  return {
    /** Problems of a query, regardless of the link. */
    findProblems(query: Query): FieldError[] {
      const judged = judgeQuery(query, clock());
      return Array.isArray(judged) ? judged : [];
    },

    ofLink: async (caller: Account, id: string, query: LinkAnalyticsQuery): Promise<AnalyticsReport> =>
      report(await askOfLink(caller, id, query)),

    ofAccount: async (caller: Caller, query: AccountAnalyticsQuery): Promise<AnalyticsReport> =>
      report(await askOfAccount(caller, query)),

    /** All items of the query's only breakdown. */
    wholeBreakdownOfLink: async (caller: Caller, id: string, query: LinkAnalyticsQuery): Promise<WholeBreakdown> =>
      wholeBreakdown(await askOfLink(caller, id, query)),

    wholeBreakdownOfAccount: async (caller: Caller, query: AccountAnalyticsQuery): Promise<WholeBreakdown> =>
      wholeBreakdown(await askOfAccount(caller, query)),
  };
}
export type AnalyticsService = ReturnType<typeof analyticsService>;

type Query = LinkAnalyticsQuery | AccountAnalyticsQuery;

/** The period, or all problems of the query, regardless of the link. */
function judgeQuery(query: Query, nowMs: number): Period | FieldError[] {
  const found = judgePeriod(query, { nowMs, createdMs: nowMs });
  const problems = [...(Array.isArray(found) ? found : []), ...findFormatProblems(query)];
  return Array.isArray(found) || problems.length > 0 ? problems : found;
}

/** Problems are reported before the link is looked up. */
function getAsked(query: Query, nowMs: number): Period {
  const judged = judgeQuery(query, nowMs);
  if (Array.isArray(judged)) throw validationFailed(judged);
  return judged;
}

export function whenAvailable<T>(answer: Promise<T>): Promise<T> {
  return answer.catch((error: unknown) => {
    if (!(error instanceof ClicksUnavailable)) throw error;
    const message =
      error instanceof ClicksMigrating
        ? `Reports are unavailable while clicks are migrated after an upgrade: ${error.percent} % are done. Links work, ` +
          "and all clicks are counted."
        : "Reports are temporarily unavailable. Try again shortly.";
    const busy = new ApiError("unavailable", message);
    throw busy.withHeader("retry-after", RETRY_AFTER_SECONDS);
  });
}

/** The same for what arrives in parts. */
export async function* eachWhenAvailable<T>(parts: AsyncGenerator<T>): AsyncGenerator<T> {
  try {
    for (;;) {
      const { done, value } = await whenAvailable(parts.next());
      if (done) return;
      yield value;
    }
  } finally {
    await parts.return(undefined);
  }
}

function findFormatProblems({ format, group_by }: Query): FieldError[] {
  if (format !== "csv" || new Set(group_by).size <= 1) return [];
  return [{ location: "query", field: "group_by", code: "too_long", message: "CSV holds one breakdown only." }];
}
