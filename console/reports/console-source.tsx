import { Link } from "@tanstack/react-router";
import { ChartNoAxesColumn } from "lucide-react";
import { useMemo } from "react";
import { useWorkspace } from "#console/api/session.tsx";
import type { AccountDimension } from "#contract/analytics.ts";
import { reportTexts } from "#texts/reports.ts";
import { askReport, askReportCsv } from "./ask-report.ts";
import { accountCards, linkCards, nameValue } from "./dimensions.ts";
import { useLinkEvents } from "./link-events.ts";
import { nameLink, useLinkNames } from "./link-names.ts";
import { LivePill } from "./live-pill.tsx";
import { useReportScope } from "./report-context.tsx";
import type { ReportLink } from "./report-query.ts";
import type { ReportSource, RowActionProps, ValueNames } from "./report-source.ts";
import { SplitResults } from "./split/split-results.tsx";
import { useLiveClicks } from "./use-live-clicks.ts";
import { reportsKey } from "./use-report.ts";

/** The account's report, or that of one of its links, for someone who is signed in. */
export function useConsoleSource(link: ReportLink): ReportSource {
  const { account } = useWorkspace();
  return useMemo<ReportSource>(() => {
    const subject = { accountId: account.id, link };
    return {
      key: reportsKey(account.id, link),
      link,
      cards: link === null ? accountCards : linkCards,
      ask: (query, signal) => askReport(subject, query, signal),
      askCsv: (query) => askReportCsv(subject, query),
      useNames,
      useEvents: useLinkEvents,
      canFilter: true,
      hasOwnTimeZone: true,
      Live: LiveStatus,
      Splits: LinkSplits,
      RowAction: LinkReportLink,
    };
  }, [account.id, link]);
}

function LiveStatus() {
  const { link } = useReportScope().source;
  return <LivePill live={useLiveClicks(link)} link={link} />;
}

function LinkSplits() {
  const { link } = useReportScope().source;
  return link !== null && <SplitResults link={link} />;
}

function useNames(dimension: AccountDimension, values: readonly string[]): ValueNames {
  const links = useLinkNames(dimension === "link" ? values : []);
  if (dimension !== "link") {
    return { nameOf: (value) => nameValue(dimension, value), detailOf: () => null, isAsking: false };
  }
  return {
    nameOf: (value) => nameLink(links, value ?? ""),
    detailOf: (value) => slugBeside(links.names.get(value ?? "")),
    isAsking: links.isAsking,
  };
}

const slugBeside = (name: { readonly slug: string; readonly title: string | null } | undefined): string | null =>
  name?.title ? `/${name.slug}` : null;

function LinkReportLink({ dimension, value, name }: RowActionProps) {
  const { account } = useWorkspace();
  if (dimension !== "link") return null;
  const texts = reportTexts.cards;
  return (
    <Link
      to="/a/$account/links/$link"
      params={{ account: account.id, link: value }}
      aria-label={texts.reportOf(name)}
      title={texts.reportOfLink}
      className="flex size-9 shrink-0 items-center justify-center rounded-lg text-faint hover:bg-hover hover:text-text"
    >
      <ChartNoAxesColumn className="size-4" aria-hidden />
    </Link>
  );
}
