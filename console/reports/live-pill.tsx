import { Button } from "#console/ui/button.tsx";
import { classes } from "#console/ui/classes.ts";
import { CountryFlag } from "#console/ui/country-flag.tsx";
import { formatCount } from "#console/ui/format.ts";
import { Popover } from "#console/ui/popover.tsx";
import type { LiveClick } from "#contract/console/links.ts";
import { reportTexts } from "#texts/reports.ts";
import { formatClock } from "./dates.ts";
import { nameValue } from "./dimensions.ts";
import { titleOf } from "./link-names.ts";
import { useReportScope } from "./report-context.tsx";
import type { ReportLink } from "./report-query.ts";
import { zoneOf } from "./time-zone.ts";
import type { LiveClicks } from "./use-live-clicks.ts";

const texts = reportTexts.live;

interface LivePillProps {
  readonly live: LiveClicks;
  readonly link: ReportLink;
}

/** A quiet sign that clicks arrive as they happen; opened, it tells the latest ones. */
export function LivePill({ live: { isConnected, count, latest }, link }: LivePillProps) {
  const { search } = useReportScope();
  const timezone = zoneOf(search);
  const state = isConnected ? texts.connected : texts.connecting;
  return (
    <Popover
      label={texts.title}
      trigger={
        <Button look="quiet" aria-label={texts.label(state, count)}>
          <span className="relative flex size-2">
            {isConnected && count > 0 && (
              <span className="absolute inset-0 animate-ping rounded-full bg-good opacity-60" key={count} />
            )}
            <span className={classes("relative size-2 rounded-full", isConnected ? "bg-good" : "bg-line-strong")} />
          </span>
          {count > 0 ? texts.withCount(state, formatCount(count)) : state}
        </Button>
      }
      className="w-88 max-w-[calc(100vw-1.5rem)] p-4"
    >
      <h2 className="mb-2 font-semibold">{texts.title}</h2>
      {latest.length === 0 ? (
        <p className="text-sm text-soft" data-first tabIndex={-1}>
          {isConnected ? texts.none : texts.paused}
        </p>
      ) : (
        // biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls must be reachable by keyboard
        <ol className="max-h-80 space-y-2 overflow-y-auto text-sm" data-first tabIndex={0} aria-label={texts.title}>
          {latest.map((click) => (
            <li key={click.key} className="flex gap-3">
              <time dateTime={click.at} className="shrink-0 text-faint tabular-nums">
                {formatClock(click.at, timezone)}
              </time>
              <span className="min-w-0">
                {link === null && <span className="block truncate font-medium">{titleOf(click.link)}</span>}
                <span className="flex items-center gap-1.5 text-soft">
                  {click.country !== null && <CountryFlag country={click.country} />}
                  <span className="truncate">{describe(click)}</span>
                </span>
              </span>
            </li>
          ))}
        </ol>
      )}
    </Popover>
  );
}

function describe({ country, referrer, browser, os, source }: LiveClick): string {
  const place = country === null ? null : nameValue("country", country);
  const way = source === "qr" ? nameValue("source", source) : referrer;
  const device = browser !== null && os !== null ? texts.browserOn(browser, os) : (browser ?? os);
  return [place, way, device].filter((part) => part !== null && part !== "").join(" · ") || texts.unknown;
}
