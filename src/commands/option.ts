import { BadValue, parseValue, type ValueKind } from "#config/parse-value.ts";
import { UsageError } from "./usage-error.ts";

/** One argument of a command as data: its help, and how its text becomes a value. */
export interface Option<T> {
  /** The placeholder for the value in the help; `null` for a flag. */
  readonly value: string | null;
  readonly help: string;
  readonly required: boolean;
  /** The default, as it would be typed. */
  readonly fallback: string | null;
  /** Prompted for by the command: never an argument, where other users can see it. */
  readonly asked: boolean;
  read(raw: string | true | undefined, label: string): T;
}

const plain = { required: false, fallback: null, asked: false } as const;

export const required = <T>(value: string, kind: ValueKind<T>, help: string): Option<T> => ({
  ...plain,
  value,
  help,
  required: true,
  read: (raw, label) => readValue(kind, raw, label),
});

export const optional = <T>(value: string, kind: ValueKind<T>, help: string): Option<T | null> => ({
  ...plain,
  value,
  help,
  read: (raw, label) => (raw === undefined ? null : readValue(kind, raw, label)),
});

export const withDefault = <T>(fallback: string, option: Option<T>): Option<T> => ({
  ...option,
  required: false,
  fallback,
  read: (raw, label) => option.read(raw ?? fallback, label),
});

export const flag = (help: string): Option<boolean> => ({
  ...plain,
  value: null,
  help,
  read: (raw) => raw === true,
});

export const asked = <T>(kind: ValueKind<T>): Option<T | null> => ({ ...optional("", kind, ""), asked: true });

function readValue<T>(kind: ValueKind<T>, raw: string | true | undefined, label: string): T {
  if (typeof raw !== "string") throw new UsageError(`${label} needs a value`);
  try {
    return parseValue(label, kind, raw);
  } catch (error) {
    throw error instanceof BadValue ? new UsageError(error.message) : error;
  }
}
