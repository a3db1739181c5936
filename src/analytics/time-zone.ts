export interface TimeZone {
  /** As the client spelled it. */
  readonly name: string;
  /** Milliseconds to add to an instant to get the local wall clock. */
  offsetAt(ms: number): number;
}

// Offsets such as "+02:00" are accepted by Intl, but are not names of time zones.
const IANA_NAME = /^[A-Za-z][A-Za-z0-9_+/-]*$/;
const OFFSET = /GMT(?:([+-])(\d\d):(\d\d)(?::(\d\d))?)?$/;

// One entry for each zone there is at most: an unknown name throws, and the spelling is folded.
const formatters = new Map<string, Intl.DateTimeFormat>();

/** Nothing for a name that is not in the IANA data of this runtime. */
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
