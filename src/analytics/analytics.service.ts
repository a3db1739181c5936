import {
  type AccountAnalyticsQuery,
  type AccountDimension,
  type AnalyticsQuery,
  type AnalyticsReport,
  type ClickDimension,
  clickDimensions,
  type LinkAnalyticsQuery,
} from "#contract/analytics.ts";
import type { FieldError } from "#contract/errors.ts";
import {
  type ClickScope,
  type ClicksEngine,
  ClicksMigrating,
  ClicksUnavailable,
  type ReportFilters,
} from "#engines/clicks/clicks-engine.ts";
import type { Records } from "#engines/records/records.ts";
import { ApiError, notFound, validationFailed } from "#kernel/api-error.ts";
import { asciiName } from "#kernel/ascii-name.ts";
import type { Caller } from "#kernel/caller.ts";
import type { Clock } from "#kernel/clock.ts";
import { foldCase } from "#links/link-fields.ts";
import { hostNameOf } from "#shared/host-name.ts";
import { findLinkEntry, findLinkIds, findLinkNumbers, getAccountCreatedMs } from "./analytics.store.ts";
import {
  judgePeriod,
  type Moments,
  offsetsOf,
  type Period,
  previousRange,
  rangeOfAll,
  resolvePeriod,
} from "./period.ts";
import { type LinkIds, toReport } from "./report-record.ts";

export interface AnalyticsDeps {
  readonly records: Records;
  readonly clicks: Pick<ClicksEngine, "report" | "findOutside">;
  readonly clock: Clock;
  /** The instance's own short domain. */
  readonly ownDomain: string;
}

interface Question {
  readonly accountNo: number;
  readonly link: { readonly no: number; readonly id: string } | null;
  readonly period: Period;
  readonly filters: ReportFilters;
  readonly query: AnalyticsQuery & { readonly group_by: readonly AccountDimension[] };
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

  return {
    /** Problems of a query, regardless of the link. */
    findProblems(query: Query): FieldError[] {
      const judged = judgeQuery(query, clock());
      return Array.isArray(judged) ? judged : [];
    },

    async ofLink(caller: Caller, id: string, query: LinkAnalyticsQuery): Promise<AnalyticsReport> {
      const { accountNo } = caller;
      const nowMs = clock();
      const asked = getAsked(query, nowMs);
      const link = await findLinkEntry(records.read, accountNo, id);
      if (!link) throw notFound();
      const moments = { nowMs, createdMs: link.created_at };
      const period = await periodSince(asked, query, { accountNo, linkNo: link.no, moments });
      return report({ accountNo, link: { no: link.no, id }, period, filters: textFilters(query), query });
    },

    async ofAccount(caller: Caller, query: AccountAnalyticsQuery): Promise<AnalyticsReport> {
      const { accountNo } = caller;
      const nowMs = clock();
      const asked = getAsked(query, nowMs);
      const createdMs = await getAccountCreatedMs(records.read, accountNo);
      const period = await periodSince(asked, query, { accountNo, linkNo: null, moments: { nowMs, createdMs } });
      const { domain, link, tag } = query;
      const filters = {
        ...textFilters(query),
        ...(domain && { domain: domain.map((name) => toStoredDomain(name, ownDomain)) }),
        ...(link && { link: await findLinkNumbers(records.read, accountNo, link) }),
        ...(tag && { tag: tag.map((name) => (name === "" ? null : foldCase(name))) }),
      };
      return report({ accountNo, link: null, period, filters, query });
    },
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

function findFormatProblems({ format, group_by }: Query): FieldError[] {
  if (format !== "csv" || new Set(group_by).size <= 1) return [];
  return [{ location: "query", field: "group_by", code: "too_long", message: "CSV holds one breakdown only." }];
}

const upperCase = (value: string): string => value.toUpperCase();
const lowerCase = (value: string): string => value.toLowerCase();
/** Codes and host names are stored in one case, but filters may use any. */
const folds: Partial<Record<ClickDimension, (value: string) => string>> = {
  country: upperCase,
  language: lowerCase,
  referrer: lowerCase,
};

/** Clicks on the instance's own domain are stored without one, so they follow it when the operator renames it. */
function toStoredDomain(name: string, ownDomain: string): string | null {
  const ascii = asciiName(name);
  // Not every text is a name: what isn't matches nothing.
  return ascii === hostNameOf(ownDomain) ? null : ascii || name;
}

/** An empty value matches clicks without one. */
function textFilters(query: AnalyticsQuery): ReportFilters {
  const chosen = clickDimensions.flatMap((name) => {
    const fold = folds[name] ?? ((value) => value);
    const values = query[name];
    return values ? [[name, values.map((value) => (value === "" ? null : fold(value)))]] : [];
  });
  return Object.fromEntries(chosen);
}
