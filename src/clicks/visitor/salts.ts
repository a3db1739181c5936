import { randomBytes } from "node:crypto";
import { dayOf, eraseSalts, readSaltFile, type Salts, writeSaltFile } from "./salt-file.ts";

const SALT_BYTES = 32;
const DAY_MS = 86_400_000;
const HALF_DAY_MS = 43_200_000;

/**
 * The UTC days that have a salt at a given time: a salt is made twelve hours before its day and erased twelve hours
 * after it, so there are always two, and a hash can be recomputed for 36 hours at most.
 */
export function saltDaysAt(nowMs: number): readonly number[] {
  return [...new Set([nowMs - HALF_DAY_MS, nowMs, nowMs + HALF_DAY_MS].map(dayOf))];
}

/**
 * Makes the salts that are due and erases all others. Control calls it at its start and every minute; it keeps no state,
 * so restarts and jumps of the clock need no care. Backups must leave the file out.
 */
export function keepSalts(path: string, nowMs: number): void {
  const found = readSaltFile(path);
  store(path, found, new Map(saltDaysAt(nowMs).map((day) => [day, found.get(day) ?? newSalt()])));
}

/** Returns the salt that all nodes use for the day; `null` if that can't be found out at the moment. */
export type AgreeOnSalt = (day: number, proposal: string, forMs: number) => Promise<string | null>;

/**
 * The same for one of several nodes, which all hash a visitor alike. They agree on each salt twelve hours ahead, and
 * propose it again every minute, in case what they agree through has forgotten it. A node that has no salt for today and
 * can't agree on one has none, unless it may use its own: until midnight it then counts visitors of other nodes once
 * more. A salt that is in use doesn't change, for the same reason. Returns whether there is one for today.
 */
export async function keepSharedSalts(
  path: string,
  nowMs: number,
  agree: AgreeOnSalt,
  { mayUseOwn }: { readonly mayUseOwn: boolean },
): Promise<boolean> {
  const found = readSaltFile(path);
  const today = dayOf(nowMs);
  const salts = new Map<number, string>();
  for (const day of saltDaysAt(nowMs)) {
    const own = found.get(day);
    const proposal = own ?? newSalt();
    const agreed = day < today ? null : await agree(day, proposal, (day + 1) * DAY_MS + HALF_DAY_MS - nowMs);
    const salt = day > today ? (agreed ?? own) : (own ?? agreed ?? (mayUseOwn && day === today ? proposal : undefined));
    if (salt !== undefined) salts.set(day, salt);
  }
  store(path, found, salts);
  return salts.has(today);
}

function store(path: string, found: Salts, salts: Salts): void {
  if (found.size === salts.size && [...salts].every(([day, salt]) => found.get(day) === salt)) return;
  eraseSalts(path, salts);
  writeSaltFile(path, salts);
}

const newSalt = (): string => randomBytes(SALT_BYTES).toString("hex");
