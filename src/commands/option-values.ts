import { resolve } from "node:path";
import { z } from "zod";
import { BadValue, type Parse } from "#config/parse-value.ts";
import { Instant } from "#contract/fields.ts";
import { type Scope, scopes } from "#contract/scopes.ts";

const NAME_LENGTH_MAX = 100;
const EMAIL_LENGTH_MAX = 254;
const HOUR_MS = 3_600_000;
const LIFETIME_MS_MAX = 3650 * 24 * HOUR_MS;

/** A label for people. Control characters could steer the terminal it is listed on. */
export const nameText: Parse<string> = (value) => {
  const name = value.trim();
  if (name === "") throw new BadValue("must not be empty");
  if (name.length > NAME_LENGTH_MAX) throw new BadValue(`must have at most ${NAME_LENGTH_MAX} characters`);
  if (/\p{Cc}/u.test(name)) throw new BadValue("must not contain control characters");
  return name;
};

/** Absolute, so that it means the same wherever it is used. */
export const directoryPath: Parse<string> = (value) => {
  if (value.trim() === "") throw new BadValue("must not be empty");
  return resolve(value);
};

export const idText: Parse<string> = (value) => {
  if (value.trim() === "") throw new BadValue("must not be empty");
  return value.trim();
};

/** The check of the sign-in library: an address that it refuses could never sign in. */
export const emailAddress: Parse<string> = (value) => {
  if (value.length > EMAIL_LENGTH_MAX || !z.email().safeParse(value).success) {
    throw new BadValue("must be an e-mail address such as ada@example.com");
  }
  return value;
};

export const scopeList: Parse<readonly Scope[]> = (value) => {
  if (value === "all") return scopes;
  const words = value.split(",").map((word) => word.trim());
  const unknown = words.find((word) => !isScope(word));
  if (unknown !== undefined) {
    throw new BadValue(`names an unknown scope ${JSON.stringify(unknown)}; there are: ${scopes.join(", ")}, or all`);
  }
  return scopes.filter((scope) => words.includes(scope));
};

/** A time to live in milliseconds, `null` for one without end. */
export const lifetime: Parse<number | null> = (value) => {
  if (value === "never") return null;
  const [, count = "", unit = ""] = /^(\d{1,6})([dh])$/.exec(value) ?? [];
  const ms = Number(count) * (unit === "d" ? 24 : 1) * HOUR_MS;
  if (count === "" || ms === 0 || ms > LIFETIME_MS_MAX) {
    throw new BadValue("must be days or hours such as 90d or 12h, up to 3650d, or never");
  }
  return ms;
};

/** The id of a token, also with the prefix it is listed with. A whole token is refused: arguments are no secret. */
export const tokenId: Parse<string> = (value) => {
  const [, id, secret] = /^(?:kurz_)?([0-9A-Za-z]{12})(_.*)?$/.exec(value) ?? [];
  if (id === undefined) throw new BadValue("must be the id of a token, as tokens list shows it");
  if (secret !== undefined) throw new BadValue(`must be the token's id alone: ${id}`);
  return id;
};

export const wordList: Parse<readonly string[]> = (value) => {
  const words = value.split(",").map((word) => word.trim());
  if (words.includes("")) throw new BadValue("must be words with commas in between");
  return words;
};

/** A point in time as Unix milliseconds. */
export const instant: Parse<number> = (value) => {
  const parsed = Instant.safeParse(value);
  if (!parsed.success) throw new BadValue("must be an instant such as 2026-01-02T03:04:05Z");
  return Date.parse(parsed.data);
};

/** An instant, or how long ago. */
export const instantOrAge: Parse<number> = (value) => {
  if (/^\d+[dh]$/.test(value)) return Date.now() - (lifetime(value) ?? 0);
  try {
    return instant(value);
  } catch {
    throw new BadValue("must be an instant such as 2026-01-02T03:04:05Z, or an age such as 7d or 12h");
  }
};

export const oneOf =
  <T extends string>(words: readonly T[]): Parse<T> =>
  (value) => {
    const word = words.find((candidate) => candidate === value);
    if (word === undefined) throw new BadValue(`must be one of ${words.join(", ")}`);
    return word;
  };

const isScope = (word: string): boolean => (scopes as readonly string[]).includes(word);
