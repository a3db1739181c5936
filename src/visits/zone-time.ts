const MINUTE_MS = 60_000;
// Wherever clocks are set forward or back, that happens at a full quarter of an hour.
const QUARTER_MS = 15 * MINUTE_MS;
const DAY_MINUTES = 24 * 60;
// The first of January 1970 was a Thursday; days are counted from Monday.
const FIRST_WEEKDAY = 3;

export interface ZoneTime {
  /** 0 is Monday. */
  readonly weekday: number;
  readonly minuteOfDay: number;
}

/** Tells the time in a zone. The library that knows zones takes microseconds, so it is asked once per quarter of an hour. */
export function zoneClock(timezone: string): (atMs: number) => ZoneTime {
  const format = formatOf(timezone);
  let quarter = Number.NaN;
  let offsetMs = 0;
  return (atMs) => {
    const asked = Math.floor(atMs / QUARTER_MS);
    if (asked !== quarter) {
      offsetMs = offsetOf(format, asked * QUARTER_MS);
      quarter = asked;
    }
    const minutes = Math.floor((atMs + offsetMs) / MINUTE_MS);
    const days = Math.floor(minutes / DAY_MINUTES);
    return { weekday: (((days + FIRST_WEEKDAY) % 7) + 7) % 7, minuteOfDay: minutes - days * DAY_MINUTES };
  };
}

/** They take longer to make than to use, and there are only so many zones. */
const formats = new Map<string, Intl.DateTimeFormat>();

function formatOf(timezone: string): Intl.DateTimeFormat {
  const known = formats.get(timezone);
  if (known) return known;
  const format = new Intl.DateTimeFormat("en-US", { timeZone: timezone, timeZoneName: "longOffset" });
  formats.set(timezone, format);
  return format;
}

export function isTimeZone(name: string): boolean {
  try {
    formatOf(name);
    return true;
  } catch {
    return false;
  }
}

const OFFSET = /^GMT(?:([+-])(\d{2}):(\d{2})(?::(\d{2}))?)?$/;

function offsetOf(format: Intl.DateTimeFormat, atMs: number): number {
  const name = format.formatToParts(atMs).find(({ type }) => type === "timeZoneName")?.value ?? "";
  const [all, sign, hours = "0", minutes = "0", seconds = "0"] = OFFSET.exec(name) ?? [];
  if (all === undefined) throw new Error(`the offset "${name}" can't be read`);
  const ms = ((Number(hours) * 60 + Number(minutes)) * 60 + Number(seconds)) * 1000;
  return sign === "-" ? -ms : ms;
}
