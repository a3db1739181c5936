import { Link as RouterLink, useNavigate, useParams, useSearch } from "@tanstack/react-router";
import { ChevronLeft, CornerDownRight } from "lucide-react";
import { useCallback } from "react";
import { CallError } from "#console/api/call.ts";
import { NotFoundPage } from "#console/app/not-found-page.tsx";
import { LinkBadge } from "#console/links/link-badge.tsx";
import { ShareButton } from "#console/links/share/share-button.tsx";
import { useLink } from "#console/links/use-link.ts";
import { CopyButton } from "#console/ui/copy-button.tsx";
import { DestinationText } from "#console/ui/destination-text.tsx";
import { formatAddress } from "#console/ui/format.ts";
import type { Link } from "#contract/link-record.ts";
import { reportTexts as texts } from "#texts/reports.ts";
import { useConsoleSource } from "./console-source.tsx";
import { LinkReportMenu } from "./link-report-menu.tsx";
import { Report } from "./report.tsx";
import type { ShowReport } from "./report-context.tsx";

export function LinkReportPage() {
  const { account, link: id } = useParams({ from: "/a/$account/links/$link" });
  const search = useSearch({ from: "/a/$account/links/$link" });
  const navigate = useNavigate({ from: "/a/$account/links/$link" });
  const { data: link, error } = useLink(id);
  const source = useConsoleSource(id);
  const show = useCallback<ShowReport>(
    (change, { replace = false } = {}) => void navigate({ to: ".", search: change, replace, resetScroll: false }),
    [navigate],
  );
  const title = link && (link.title ?? `/${link.slug}`);
  if (error instanceof CallError && error.status === 404) return <NotFoundPage />;
  return (
    <>
      <RouterLink
        to="/a/$account/links"
        params={{ account }}
        className="mb-3 -ml-1 inline-flex items-center gap-1 rounded-md text-sm text-soft hover:text-text"
      >
        <ChevronLeft className="size-4" aria-hidden />
        {texts.links}
      </RouterLink>
      <Report key={id} source={source} search={search} show={show} title={title}>
        <div className="min-h-9">{link && <Addresses link={link} />}</div>
      </Report>
    </>
  );
}

/** The short address, and where it leads. */
const Addresses = ({ link }: { readonly link: Link }) => (
  <div className="flex min-w-0 flex-wrap items-center gap-x-2 text-sm">
    <span className="flex max-w-full min-w-0 items-center gap-1">
      <a
        href={link.short_url}
        target="_blank"
        rel="noreferrer"
        className="truncate font-medium text-accent hover:underline"
      >
        {formatAddress(link.short_url)}
      </a>
      <CopyButton text={link.short_url} label={texts.copyShortLink} />
      <ShareButton link={link} />
      <LinkReportMenu link={link} />
      <LinkBadge link={link} />
    </span>
    <span className="flex min-w-0 grow basis-48 items-center gap-1 text-soft max-sm:basis-full">
      <CornerDownRight className="size-3.5 shrink-0" aria-hidden />
      <DestinationText url={link.destination_url} />
    </span>
  </div>
);
