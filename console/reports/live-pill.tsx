import { Button } from "#console/ui/button.tsx";
import { classes } from "#console/ui/classes.ts";
import { formatCount } from "#console/ui/format.ts";
import { Popover } from "#console/ui/popover.tsx";
import type { LiveClick } from "#contract/console/links.ts";
import { formatClock } from "./dates.ts";
import { nameValue } from "./dimensions.ts";
import { findFlag } from "./flags.ts";
import { titleOf } from "./link-names.ts";
import { useReportScope } from "./report-context.tsx";
import { zoneOf } from "./time-zone.ts";
import type { LiveClicks } from "./use-live-clicks.ts";

/** A quiet sign that clicks arrive as they happen; opened, it tells the latest ones. */
export function LivePill({ live: { isConnected, count, latest } }: { readonly live: LiveClicks }) {
  const { search, link } = useReportScope();
  const timezone = zoneOf(search);
  const state = isConnected ? "Live" : "Connecting";
  return (
    <Popover
      label="Latest clicks"
      trigger={
        <Button look="quiet" aria-label={`${state}: ${count} clicks since this page was opened`}>
          <span className="relative flex size-2">
            {isConnected && count > 0 && (
              <span className="absolute inset-0 animate-ping rounded-full bg-good opacity-60" key={count} />
            )}
            <span className={classes("relative size-2 rounded-full", isConnected ? "bg-good" : "bg-line-strong")} />
          </span>
          {count > 0 ? `${state} · ${formatCount(count)}` : state}
        </Button>
      }
      className="w-88 max-w-[calc(100vw-1.5rem)] p-4"
    >
      <h2 className="mb-2 font-semibold">Latest clicks</h2>
      {latest.length === 0 ? (
        <p className="text-sm text-soft" data-first tabIndex={-1}>
          {isConnected ? "Clicks appear here as they happen." : "Live updates are paused. Reconnecting…"}
        </p>
      ) : (
        // biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls must be reachable by keyboard
        <ol className="max-h-80 space-y-2 overflow-y-auto text-sm" data-first tabIndex={0} aria-label="Latest clicks">
          {latest.map((click) => (
            <li key={click.key} className="flex gap-3">
              <time dateTime={click.at} className="shrink-0 text-faint tabular-nums">
                {formatClock(click.at, timezone)}
              </time>
              <span className="min-w-0">
                {link === null && <span className="block truncate font-medium">{titleOf(click.link)}</span>}
                <span className="block truncate text-soft">{describe(click)}</span>
              </span>
            </li>
          ))}
        </ol>
      )}
    </Popover>
  );
}

function describe({ country, referrer, browser, os, source }: LiveClick): string {
  const place = country === null ? null : `${findFlag(country) ?? ""} ${nameValue("country", country)}`.trim();
  const way = source === "qr" ? "QR code" : referrer;
  const device = [browser, os].filter((name) => name !== null).join(" on ");
  return [place, way, device].filter((part) => part !== null && part !== "").join(" · ") || "Nothing else is known";
}
