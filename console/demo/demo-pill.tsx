import { Sparkles } from "lucide-react";
import { useEffect } from "react";
import { useRefreshState } from "#console/api/session.tsx";
import { Button } from "#console/ui/button.tsx";
import { classes } from "#console/ui/classes.ts";
import { Popover, useClosePopover } from "#console/ui/popover.tsx";
import type { ConsoleState } from "#contract/console/session.ts";
import { demoTexts as texts } from "#texts/demo.ts";
import { DemoCredentials } from "./demo-credentials.tsx";
import { formatResetTime, useMinutesLeft } from "./demo-reset.ts";
import { useStartTour } from "./demo-tour.tsx";
import { beginDemoVisit } from "./demo-visit.ts";

const SOON_MINUTES = 5;
const ASK_AGAIN_MS = 3000;

/** That this is the demo, and how long it lasts; a click explains it. */
export function DemoPill({ demo }: { readonly demo: NonNullable<ConsoleState["demo"]> }) {
  const minutes = useMinutesLeft(demo);
  const refresh = useRefreshState();
  useEffect(beginDemoVisit, []);
  // The session ends with the demo: better to learn it now than in the middle of something.
  useEffect(() => {
    if (minutes > 0) return;
    const timer = setInterval(() => void refresh(), ASK_AGAIN_MS);
    return () => clearInterval(timer);
  }, [minutes, refresh]);
  const isSoon = minutes <= SOON_MINUTES;
  return (
    <Popover
      align="start"
      label={texts.about}
      className="w-80 max-w-[calc(100vw-2rem)] p-4"
      trigger={
        <button
          type="button"
          className={classes(
            "inline-flex h-7 w-fit shrink-0 items-center gap-1.5 rounded-full px-2.5 text-xs font-medium whitespace-nowrap transition-colors",
            isSoon ? "bg-warn-soft text-warn" : "bg-accent-soft text-accent",
          )}
        >
          <Sparkles className="size-3.5" aria-hidden />
          {texts.demo}
          <span className="max-sm:sr-only">· {describeMinutes(minutes)}</span>
        </button>
      }
    >
      <p className="font-medium" data-first tabIndex={-1}>
        {texts.fictional}
      </p>
      <p className="mt-1 text-sm text-soft">{texts.note(formatResetTime(demo))}</p>
      <DemoCredentials demo={demo} />
      <TourButton />
    </Popover>
  );
}

function TourButton() {
  const close = useClosePopover();
  const startTour = useStartTour();
  return (
    <Button
      size="small"
      className="mt-3 w-full"
      onClick={() => {
        close();
        startTour();
      }}
    >
      {texts.takeTour}
    </Button>
  );
}

function describeMinutes(minutes: number): string {
  if (minutes === 0) return texts.resetting;
  return minutes < 120 ? texts.resetsInMinutes(minutes) : texts.resetsInHours(Math.round(minutes / 60));
}
