import type { AnalyticsService } from "#analytics/analytics.service.ts";
import type { AnalyticsReport } from "#contract/analytics.ts";
import { clickFilters, type LinkAnalyticsQuery } from "#contract/analytics.ts";
import type { SharedLink, SharedReport, SharedReportQuery } from "#contract/share-page.ts";
import type { FailureLimits } from "#engines/coordination/failure-limits.ts";
import type { Records } from "#engines/records/records.ts";
import { rateLimited } from "#http/rate-limit.ts";
import { ApiError, validationFailed } from "#kernel/api-error.ts";
import { type Clock, toTimestampOrNull } from "#kernel/clock.ts";
import { gate } from "#kernel/gate.ts";
import type { LinkService } from "#links/links.service.ts";
import { passwordAttempts } from "#links/password-attempts.ts";
import { RecentAnswers } from "./recent-answers.ts";
import { shareAccess } from "./share-access.ts";
import { isExpired } from "./share-record.ts";
import { findShared, type SharedRow } from "./shares.store.ts";
import { shownDestination } from "./shown-link.ts";
import { shownReport } from "./shown-report.ts";

interface Deps {
  readonly records: Records;
  readonly clock: Clock;
  readonly secretKey: string;
  readonly failures: FailureLimits;
  readonly links: Pick<LinkService, "get">;
  readonly analytics: Pick<AnalyticsService, "ofLink">;
}

/** Someone who has the address of a shared report. */
export interface ShareVisitor {
  readonly network: string;
  /** Says that they have entered the password. */
  readonly access: string | null;
}

// So many that strangers can't keep owners from their own reports.
const REPORTS_AT_ONCE = 2;
const REPORTS_WAITING_MAX = 64;
const REPORT_WAIT_MS_MAX = 20_000;
const REPORTS_KEPT_MS = 15_000;
const REPORTS_KEPT_MAX = 100;

/** What strangers get to see. A share is looked up for each request, so that one that was revoked is gone everywhere. */
export function shareVisits({ records, clock, secretKey, failures, links, analytics }: Deps) {
  const accesses = shareAccess(secretKey);
  const passwords = passwordAttempts(failures);
  const recent = new RecentAnswers<AnalyticsReport>({ keptMs: REPORTS_KEPT_MS, most: REPORTS_KEPT_MAX });
  const turn = gate(REPORTS_AT_ONCE, {
    waitingMax: REPORTS_WAITING_MAX,
    waitMsMax: REPORT_WAIT_MS_MAX,
    refusal: () => busy("Too many shared reports are being opened right now. Try again in a moment."),
  });

  const find = async (token: string): Promise<SharedRow | null> => {
    const share = await findShared(records.read, token);
    return share && !isExpired(share, clock()) ? share : null;
  };

  const get = async (token: string): Promise<SharedRow> => {
    const share = await find(token);
    if (!share) throw new ApiError("not_found", "There is no such report.");
    return share;
  };

  const getOpen = async ({ access }: ShareVisitor, token: string): Promise<SharedRow> => {
    const share = await get(token);
    if (share.password_hash !== null && !accesses.isGranted(share, access, clock())) {
      throw new ApiError("share_locked", "Enter the report's password first.");
    }
    return share;
  };

  return {
    exists: async (token: string): Promise<boolean> => (await find(token)) !== null,

    async link(visitor: ShareVisitor, token: string): Promise<SharedLink> {
      const share = await getOpen(visitor, token);
      const link = await links.get({ accountNo: share.account_no }, share.link_id);
      return {
        title: link.title,
        short_url: link.short_url,
        destination_url: shownDestination(link),
        timezone: share.timezone,
        min_visitors: share.min_visitors,
        expires_at: toTimestampOrNull(share.expires_at),
      };
    },

    async report(visitor: ShareVisitor, token: string, query: SharedReportQuery): Promise<SharedReport> {
      const share = await getOpen(visitor, token);
      if (share.min_visitors > 1) assertUnfiltered(query);
      const asked = fullQuery(query, share);
      const report = await recent.get(JSON.stringify([share.link_id, asked]), () =>
        turn(() => analytics.ofLink({ accountNo: share.account_no }, share.link_id, asked)),
      );
      return shownReport(report, share.min_visitors, query);
    },

    /** Returns a proof for `ShareVisitor.access`. */
    async open({ network }: ShareVisitor, token: string, password: string): Promise<string> {
      const share = await get(token);
      if (share.password_hash === null) return accesses.grant(share, clock());
      const hash = share.password_hash;
      const attempt = await passwords.check({ of: "share", name: share.id, network, password, hash });
      switch (attempt.result) {
        case "open":
          return accesses.grant(share, clock());
        case "wrong":
          throw new ApiError("wrong_password", "That's not the right password.");
        case "limited":
          throw rateLimited({ limit: 10, freesInMs: attempt.retryMs }, { what: "attempts", windowSeconds: 600 });
        case "busy":
          throw busy("Too many passwords are being entered right now. Try again in a moment.");
      }
    },

    /** Clicks by people on the link of a share without a password. */
    async clicks(token: string): Promise<number | null> {
      const share = await find(token);
      if (!share || share.password_hash !== null) return null;
      return (await links.get({ accountNo: share.account_no }, share.link_id)).click_count;
    },
  };
}
export type ShareVisits = ReturnType<typeof shareVisits>;

const busy = (message: string): ApiError => new ApiError("unavailable", message).withHeader("retry-after", "5");

/** Of filtered reports, totals would tell what the lists leave out. */
function assertUnfiltered(query: SharedReportQuery): void {
  const filtered = Object.keys(clickFilters).filter((name) => Object.hasOwn(query, name));
  if (filtered.length === 0) return;
  const message = "This report can't be filtered.";
  throw validationFailed(filtered.map((field) => ({ location: "query", field, code: "unknown_field", message })));
}

const fullQuery = (query: SharedReportQuery, { timezone, min_visitors }: SharedRow): LinkAnalyticsQuery => ({
  ...query,
  timezone,
  breakdown_visitors: query.breakdown_visitors || min_visitors > 1,
  format: "json",
});
