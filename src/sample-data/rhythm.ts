import { type Country, countries } from "./countries.ts";
import { weightedChoice } from "./weighted-choice.ts";

const HOUR_MS = 3_600_000;
const DAY_MS = 24 * HOUR_MS;
const WEEK_HOURS = 168;
// The first of January 1970 was a Thursday.
const EPOCH_WEEKDAY = 3;

/** Activity by hour of the day, and by weekday from Monday on. */
const HOURS = [9, 5, 3, 2, 2, 4, 12, 28, 46, 58, 62, 64, 66, 62, 60, 60, 60, 62, 66, 70, 72, 64, 44, 22];
const WEEKDAYS = [1, 1.06, 1.08, 1.05, 0.94, 0.66, 0.7];

/** How many times busier the last day is than the first. */
const GROWTH = 3;
/** The share of days that are much busier than the others. */
const SPIKE_SHARE = 0.02;

export interface Slot {
  readonly fromMs: number;
  readonly toMs: number;
  readonly clicks: number;
}

interface Range {
  readonly fromMs: number;
  readonly toMs: number;
}

const weekHourOf = (ms: number): number => (Math.floor(ms / HOUR_MS) + EPOCH_WEEKDAY * 24) % WEEK_HOURS;

function activity({ utcOffset }: Country, weekHour: number): number {
  const local = (weekHour + utcOffset + WEEK_HOURS) % WEEK_HOURS;
  return (HOURS[local % 24] ?? 0) * (WEEKDAYS[Math.floor(local / 24)] ?? 1);
}

/** Spreads clicks over a range the way people click: by hour and weekday, growing, with a busy day now and then. */
export function* spreadClicks(clicks: number, range: Range, random: () => number): Generator<Slot> {
  const { fromMs, toMs } = range;
  const weekHours = Array.from({ length: WEEK_HOURS }, (_, hour) =>
    countries.reduce((sum, country) => sum + country.share * activity(country, hour), 0),
  );
  const days = Array.from({ length: Math.ceil((toMs - fromMs) / DAY_MS) }, () => busynessOfDay(random));
  const weightOf = (fromHourMs: number, toHourMs: number): number => {
    const trend = 1 + ((GROWTH - 1) * (fromHourMs - fromMs)) / (toMs - fromMs);
    const busyness = days[Math.floor((fromHourMs - fromMs) / DAY_MS)] ?? 1;
    return (toHourMs - fromHourMs) * trend * busyness * (weekHours[weekHourOf(fromHourMs)] ?? 0);
  };
  let total = 0;
  for (let at = fromMs; at < toMs; at = hourEnd(at, toMs)) total += weightOf(at, hourEnd(at, toMs));
  let weight = 0;
  let spread = 0;
  for (let at = fromMs; at < toMs; ) {
    const end = hourEnd(at, toMs);
    weight += weightOf(at, end);
    const until = end === toMs ? clicks : Math.floor((clicks * weight) / total);
    yield { fromMs: at, toMs: end, clicks: until - spread };
    spread = until;
    at = end;
  }
}

const hourEnd = (ms: number, toMs: number): number => Math.min(toMs, (Math.floor(ms / HOUR_MS) + 1) * HOUR_MS);

const busynessOfDay = (random: () => number): number =>
  (0.85 + 0.3 * random()) * (random() < SPIKE_SHARE ? 1.5 + 1.5 * random() : 1);

/** Picks the country of someone who clicks at a given time: few people click at night. */
export function countryPicker(random: () => number): (ms: number) => Country {
  const pickers: (() => Country)[] = [];
  const pickerFor = (hour: number): (() => Country) =>
    weightedChoice(
      countries.map((country) => [country, country.share * activity(country, hour)] as const),
      random,
    );
  return (ms) => {
    const hour = weekHourOf(ms);
    pickers[hour] ??= pickerFor(hour);
    return pickers[hour]();
  };
}
