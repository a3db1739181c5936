import { Link as RouterLink, useNavigate, useParams, useSearch } from "@tanstack/react-router";
import { ChevronLeft } from "lucide-react";
import { useCallback } from "react";
import { CallError } from "#console/api/call.ts";
import { NotFoundPage } from "#console/app/not-found-page.tsx";
import { useLink } from "#console/links/use-link.ts";
import { CopyButton } from "#console/ui/copy-button.tsx";
import { formatAddress } from "#console/ui/format.ts";
import type { Link } from "#contract/link-record.ts";
import { Report } from "./report.tsx";
import type { ShowReport } from "./report-context.tsx";

export function LinkReportPage() {
  const { account, link: id } = useParams({ from: "/a/$account/links/$link" });
  const search = useSearch({ from: "/a/$account/links/$link" });
  const navigate = useNavigate();
  const { data: link, error } = useLink(id);
  const show = useCallback<ShowReport>(
    (next, { replace = false } = {}) => void navigate({ to: ".", search: next, replace, resetScroll: false }),
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
        Links
      </RouterLink>
      <Report key={id} link={id} search={search} show={show} title={title}>
        <div className="min-h-9">{link && <Addresses link={link} />}</div>
      </Report>
    </>
  );
}

/** The short address, and where it leads. */
const Addresses = ({ link: { short_url, destination_url } }: { readonly link: Link }) => (
  <p className="flex min-w-0 items-center gap-x-1 text-sm">
    <a href={short_url} target="_blank" rel="noreferrer" className="shrink-0 font-medium text-accent hover:underline">
      {formatAddress(short_url)}
    </a>
    <CopyButton text={short_url} label="Copy the short address" />
    <span className="min-w-0 truncate text-soft" title={destination_url}>
      {formatAddress(destination_url)}
    </span>
  </p>
);
