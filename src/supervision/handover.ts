import { takeVariable } from "#config/child-environment.ts";

/** What a supervisor leaves to the program that replaces it. */
export interface Handover {
  /** An open file with the lock on the data directory. */
  readonly lock: number;
  /** The sockets on the public port, one for each redirect process. */
  readonly sockets: readonly number[];
  /** Redirect processes that serve until those of the new program do. */
  readonly redirects: readonly number[];
  /** The lowest epoch that one of them may have. */
  readonly firstEpoch: number;
  /** The number of their first writer. */
  readonly firstWriter: number;
  /** How many writers the numbers from there on belong to. */
  readonly writers: number;
  readonly version: string;
  /** Who has asked for the program: see `Successor`. */
  readonly request: string;
}

// Not one of the settings, which start otherwise.
const VARIABLE = "_KURZ_HANDOVER";

export const handoverVariable = (handover: Handover): Readonly<Record<string, string>> => ({
  [VARIABLE]: JSON.stringify(handover),
});

/** What the program before has left to this one, once: processes that are started later must not take it for theirs. */
export function takeHandover(): Handover | undefined {
  const text = takeVariable(VARIABLE);
  return text === undefined ? undefined : readHandover(JSON.parse(text));
}

/** Field by field: the program before may be of another version, and each number is used as it is. */
function readHandover(found: Readonly<Record<string, unknown>>): Handover {
  const { lock, sockets, redirects, firstEpoch, firstWriter, writers, version, request } = found;
  return {
    lock: numberIn(lock),
    sockets: numbersIn(sockets),
    redirects: numbersIn(redirects),
    firstEpoch: numberIn(firstEpoch),
    firstWriter: numberIn(firstWriter),
    writers: numberIn(writers),
    version: String(version),
    request: String(request),
  };
}

function numbersIn(value: unknown): readonly number[] {
  if (!Array.isArray(value)) throw new Error(`${VARIABLE} can't be understood`);
  return value.map(numberIn);
}

function numberIn(value: unknown): number {
  if (typeof value !== "number" || !Number.isSafeInteger(value)) throw new Error(`${VARIABLE} can't be understood`);
  return value;
}
