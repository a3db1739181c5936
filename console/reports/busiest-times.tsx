import { type KeyboardEvent, memo, type SyntheticEvent, useId, useState } from "react";
import { classes } from "#console/ui/classes.ts";
import { locale } from "#console/ui/locale.ts";
import { Panel, Skeleton } from "#console/ui/panel.tsx";
import { reportTexts } from "#texts/reports.ts";
import { shadeOf } from "./shades.ts";

/** Clicks by weekday (from Monday) and hour (from midnight). */
export type WeekHours = readonly (readonly number[])[];

const texts = reportTexts.week;
const HOURS = 24;
const HOUR_MS = 3_600_000;
/** A Monday. */
const WEEK_MS = Date.UTC(2024, 0, 1);

const weekday = (style: "long" | "short") => {
  const names = new Intl.DateTimeFormat(locale, { timeZone: "UTC", weekday: style });
  return Array.from({ length: 7 }, (_, day) => names.format(WEEK_MS + day * HOURS * HOUR_MS));
};
const weekdays = weekday("long");
const shortWeekdays = weekday("short");
const MOVES: Readonly<Record<string, number>> = { ArrowLeft: -1, ArrowRight: 1, ArrowUp: -HOURS, ArrowDown: HOURS };

/** From no clicks to the most. Written out, since the style sheet is made from what the code says. */
const shades = [
  "bg-sunken",
  "bg-accent/20",
  "bg-accent/35",
  "bg-accent/50",
  "bg-accent/65",
  "bg-accent/80",
  "bg-accent",
] as const;

interface BusiestTimesProps {
  readonly hours: WeekHours | undefined;
  /** All clicks of the report, some of which may have a day only. */
  readonly clicks: number | undefined;
  readonly timezone: string | undefined;
}

/** When links are opened. One stop for the keyboard: the arrows go from hour to hour and from day to day. */
export const BusiestTimes = memo(({ hours, clicks = 0, timezone }: BusiestTimesProps) => (
  <Panel className="flex min-w-0 flex-col">
    <div className="flex flex-wrap items-baseline justify-between gap-x-4 px-5 pt-4 pb-3">
      <h2 className="font-semibold">{texts.title}</h2>
      <p className="text-xs text-faint">{timezone}</p>
    </div>
    <div className="flex grow flex-col px-5 pb-4">
      {hours ? <Week hours={hours} clicks={clicks} /> : <WeekSkeleton />}
    </div>
  </Panel>
));

const WeekSkeleton = () => (
  <output className="block grow" aria-label={texts.loading}>
    <Skeleton className="h-full min-h-56" />
  </output>
);

function Week({ hours, clicks }: { readonly hours: WeekHours; readonly clicks: number }) {
  const [at, setAt] = useState<number | null>(null);
  const id = useId();
  const counts = weekdays.flatMap((_, day) => Array.from({ length: HOURS }, (__, hour) => hours[day]?.[hour] ?? 0));
  const greatest = Math.max(...counts);
  const busiest = counts.indexOf(greatest);
  const withoutHour = clicks - counts.reduce((sum, count) => sum + count, 0);
  const describe = (index: number): string => describeHour(index, counts[index] ?? 0);

  function press(event: KeyboardEvent): void {
    const here = at ?? busiest;
    const goals: Readonly<Record<string, number>> = {
      Home: here - (here % HOURS),
      End: here - (here % HOURS) + HOURS - 1,
    };
    const move = MOVES[event.key];
    const goal = move === undefined ? goals[event.key] : here + move;
    if (goal !== undefined) setAt(Math.min(counts.length - 1, Math.max(0, goal)));
    else if (event.key === "Escape") setAt(null);
    else return;
    event.preventDefault();
  }

  return (
    <>
      <table
        // biome-ignore lint/a11y/noNoninteractiveElementToInteractiveRole: a grid of cells that the arrows go through
        role="grid"
        tabIndex={0}
        aria-label={texts.grid}
        aria-activedescendant={at === null ? undefined : `${id}-${at}`}
        onFocus={(event) => event.currentTarget.matches(":focus-visible") && setAt(busiest)}
        onBlur={() => setAt(null)}
        onKeyDown={press}
        onPointerMove={(event) => setAt(hourAt(event))}
        onPointerLeave={() => setAt(null)}
        className="min-h-56 w-full grow table-fixed border-separate border-spacing-[2px] rounded-sm text-xs text-faint"
      >
        <tbody>
          {weekdays.map((day, row) => (
            <tr key={day}>
              <th scope="row" aria-label={day} className="w-8 text-left font-normal">
                {shortWeekdays[row]}
              </th>
              {counts.slice(row * HOURS, row * HOURS + HOURS).map((count, hour) => {
                const index = row * HOURS + hour;
                return (
                  <td
                    key={index}
                    id={`${id}-${index}`}
                    data-hour={index}
                    aria-label={describe(index)}
                    className={classes(
                      "rounded-[3px] p-0",
                      shades[shadeOf(count, greatest)],
                      index === at && "outline-2 outline-text",
                    )}
                  />
                );
              })}
            </tr>
          ))}
        </tbody>
      </table>
      <div className="mt-1 flex pl-8 text-xs text-faint" aria-hidden>
        {[0, 6, 12, 18].map((hour) => (
          <span key={hour} className="grow basis-0">
            {formatHour(hour)}
          </span>
        ))}
      </div>
      <p className="mt-2 min-h-5 text-sm text-soft" data-week-words>
        {at === null ? greatest > 0 && texts.busiest(describe(busiest)) : describe(at)}
      </p>
      {withoutHour > 0 && <p className="text-sm text-soft">{texts.withoutHour(withoutHour)}</p>}
    </>
  );
}

const clock = new Intl.DateTimeFormat(locale, { timeZone: "UTC", timeStyle: "short" });
const formatHour = (hour: number): string => clock.format(WEEK_MS + hour * HOUR_MS);

function describeHour(index: number, clicks: number): string {
  const day = weekdays[Math.floor(index / HOURS)] ?? "";
  const hour = index % HOURS;
  return texts.hour(day, formatHour(hour), formatHour(hour + 1), clicks);
}

const hourAt = ({ target }: SyntheticEvent): number | null =>
  target instanceof HTMLElement && target.dataset.hour !== undefined ? Number(target.dataset.hour) : null;
