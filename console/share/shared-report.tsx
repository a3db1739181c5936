import { CornerDownRight } from "lucide-react";
import { useMemo } from "react";
import { Logo } from "#console/app/logo.tsx";
import { Report } from "#console/reports/report.tsx";
import { CopyButton } from "#console/ui/copy-button.tsx";
import { DestinationText } from "#console/ui/destination-text.tsx";
import { formatAddress, formatInstant } from "#console/ui/format.ts";
import { Badge } from "#console/ui/panel.tsx";
import type { SharedLink } from "#contract/share-page.ts";
import { reportTexts } from "#texts/reports.ts";
import { sharePageTexts as texts } from "#texts/share-page.ts";
import { useShareSearch } from "./share-search.ts";
import { canFilter, shareSource } from "./share-source.ts";

interface SharedReportProps {
  readonly token: string;
  readonly link: SharedLink;
}

/** The console's report of a link, without the console. */
export function SharedReport({ token, link }: SharedReportProps) {
  const { min_visitors, timezone } = link;
  const isFiltered = canFilter({ min_visitors });
  const source = useMemo(() => shareSource(token, isFiltered), [token, isFiltered]);
  const [search, show] = useShareSearch({ timezone, canFilter: isFiltered });
  return (
    <div className="flex min-h-dvh flex-col">
      <header className="border-b border-line bg-card" data-screen-only>
        <div className="mx-auto flex h-14 max-w-6xl items-center gap-2.5 px-4 sm:px-6">
          <Logo className="size-6" />
          <span className="text-lg font-semibold">Kurz</span>
          <span className="ml-auto">
            <Badge tone="accent">{texts.badge}</Badge>
          </span>
        </div>
      </header>
      <main className="mx-auto w-full max-w-6xl grow px-4 py-6 sm:px-6 lg:py-8">
        <Report source={source} search={search} show={show} title={link.title ?? formatAddress(link.short_url)}>
          <Addresses link={link} />
        </Report>
      </main>
      <footer className="mx-auto w-full max-w-6xl px-4 pb-8 text-sm text-soft sm:px-6">
        <p>{[...notesOf(link)].join(" ")}</p>
      </footer>
    </div>
  );
}

function* notesOf({ min_visitors, expires_at }: SharedLink): Generator<string> {
  yield texts.note;
  if (min_visitors > 1) yield texts.minVisitors(min_visitors);
  if (expires_at !== null) yield texts.until(formatInstant(expires_at));
}

const Addresses = ({ link: { short_url, destination_url } }: { readonly link: SharedLink }) => (
  <div className="flex min-h-9 min-w-0 flex-wrap items-center gap-x-2 text-sm">
    <span className="flex max-w-full min-w-0 items-center gap-1">
      <a href={short_url} target="_blank" rel="noreferrer" className="truncate font-medium text-accent hover:underline">
        {formatAddress(short_url)}
      </a>
      <CopyButton text={short_url} label={reportTexts.copyShortLink} />
    </span>
    {destination_url !== null && (
      <span className="flex min-w-0 grow basis-48 items-center gap-1 text-soft max-sm:basis-full">
        <CornerDownRight className="size-3.5 shrink-0" aria-hidden />
        <DestinationText url={destination_url} />
      </span>
    )}
  </div>
);
