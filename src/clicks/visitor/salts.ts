import { randomBytes } from "node:crypto";
import { dayOf, eraseSalts, readSaltFile, writeSaltFile } from "./salt-file.ts";

const SALT_BYTES = 32;
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
  const days = saltDaysAt(nowMs);
  if (found.size === days.length && days.every((day) => found.has(day))) return;
  const kept = new Map([...found].filter(([day]) => days.includes(day)));
  eraseSalts(path, kept);
  writeSaltFile(path, new Map(days.map((day) => [day, kept.get(day) ?? newSalt()])));
}

const newSalt = (): string => randomBytes(SALT_BYTES).toString("hex");
