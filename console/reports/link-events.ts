import { keepPreviousData, skipToken, useQuery } from "@tanstack/react-query";
import { useWorkspace } from "#console/api/session.tsx";
import { useLink } from "#console/links/use-link.ts";
import { listLinkEvents } from "#contract/console/links.ts";
import type { Period, ReportLink } from "./report-query.ts";

/** What happened to the link of a report in its period; an account has too many links to tell. */
export function useLinkEvents(link: ReportLink, period: Period) {
  const { account, call } = useWorkspace();
  // Asked again after every change, of which this is the sign.
  const version = useLink(link).data?.updated_at;
  return useQuery({
    queryKey: ["link-events", account.id, link, version, period.from, period.to],
    queryFn:
      link === null
        ? skipToken
        : ({ signal }) =>
            call(listLinkEvents, { params: { id: link }, query: { from: period.from, to: period.to }, signal }),
    select: ({ data }) => data,
    placeholderData: keepPreviousData,
  });
}
