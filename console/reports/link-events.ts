import { keepPreviousData, skipToken, useQuery } from "@tanstack/react-query";
import { useWorkspace } from "#console/api/session.tsx";
import { useLink } from "#console/links/use-link.ts";
import { type LinkEvent, listLinkEvents } from "#contract/console/links.ts";
import type { Period, ReportLink, SeriesPoint } from "./report-query.ts";

/** What may explain a rise or a fall; the title of a link doesn't. */
const actionWords: Readonly<Record<string, string>> = {
  "link.created": "Created",
  "link.paused": "Paused",
  "link.resumed": "Resumed",
  "link.archived": "Archived",
  "link.unarchived": "Unarchived",
  "link.deleted": "Deleted",
  "link.restored": "Restored",
};
const fieldWords: Readonly<Record<string, string>> = {
  destination_url: "Destination changed",
  rules: "Rules changed",
  expires_at: "Expiry changed",
  starts_at: "Start changed",
  max_clicks: "Click limit changed",
  password: "Password changed",
  slug: "Slug changed",
  domain: "Domain changed",
};

/** In words; nothing for what has no effect on clicks. */
export function describeEvent({ action, fields }: Pick<LinkEvent, "action" | "fields">): string | null {
  const changes = action === "link.updated" ? fields.flatMap((name) => fieldWords[name] ?? []) : [];
  return actionWords[action] ?? (changes.length > 0 ? changes.join(", ") : null);
}

export interface Annotation {
  /** The bucket of the series that it falls into. */
  readonly index: number;
  readonly words: readonly string[];
}

/** Events by the bucket they fall into, in the order of time; equal ones of a bucket are told once. */
export function toAnnotations(
  events: readonly LinkEvent[],
  series: readonly Pick<SeriesPoint, "start">[],
): readonly Annotation[] {
  const starts = series.map(({ start }) => Date.parse(start));
  const found = new Map<number, Set<string>>();
  for (const event of events.toReversed()) {
    const words = describeEvent(event);
    const index = starts.findLastIndex((start) => start <= Date.parse(event.at));
    if (words === null || index < 0) continue;
    found.set(index, (found.get(index) ?? new Set()).add(words));
  }
  return [...found].map(([index, words]) => ({ index, words: [...words] })).toSorted((a, b) => a.index - b.index);
}

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
