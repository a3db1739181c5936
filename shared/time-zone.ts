export interface TimeZone {
  /** As the client wrote it. */
  readonly name: string;
  /** Milliseconds to add to an instant to get the local time. */
  offsetAt(ms: number): number;
}

// Intl accepts offsets such as "+02:00", but they aren't time zone names.
const IANA_NAME = /^[A-Za-z][A-Za-z0-9_+/-]*$/;
const OFFSET = /GMT(?:([+-])(\d\d):(\d\d)(?::(\d\d))?)?$/;

// At most one entry per time zone: unknown names throw, and case is folded.
const formatters = new Map<string, Intl.DateTimeFormat>();

/** `undefined` for a name that isn't in the runtime's IANA data. */
export function findTimeZone(name: string): TimeZone | undefined {
  if (!IANA_NAME.test(name)) return undefined;
  if (name.toUpperCase() === "UTC") return { name, offsetAt: () => 0 };
  const formatter = findFormatter(name.toLowerCase());
  return formatter && { name, offsetAt: (ms) => parseOffset(formatter.format(ms)) };
}

function findFormatter(name: string): Intl.DateTimeFormat | undefined {
  const known = formatters.get(name);
  if (known) return known;
  try {
    const made = new Intl.DateTimeFormat("en-US", { timeZone: name, timeZoneName: "longOffset", hour: "numeric" });
    formatters.set(name, made);
    return made;
  } catch (error) {
    if (error instanceof RangeError) return undefined;
    throw error;
  }
}

function parseOffset(text: string): number {
  const match = OFFSET.exec(text);
  if (!match) throw new Error(`no offset in ${JSON.stringify(text)}`);
  const [, sign, hours = "0", minutes = "0", seconds = "0"] = match;
  const ms = (Number(hours) * 3600 + Number(minutes) * 60 + Number(seconds)) * 1000;
  return sign === "-" ? -ms : ms;
}
