import { resolve } from "node:path";
import { z } from "zod";
import { mustBe, type ValueKind } from "#config/parse-value.ts";
import { Instant } from "#contract/fields.ts";
import { type Scope, scopes } from "#contract/scopes.ts";

const NAME_LENGTH_MAX = 100;
const EMAIL_LENGTH_MAX = 254;
const HOUR_MS = 3_600_000;
const LIFETIME_MS_MAX = 3650 * 24 * HOUR_MS;
const NOT_EMPTY = "must not be empty";

/** A label for people. Control characters could steer the terminal it is listed on. */
export const nameText = z
  .string()
  .trim()
  .min(1, NOT_EMPTY)
  .max(NAME_LENGTH_MAX, `must have at most ${NAME_LENGTH_MAX} characters`)
  .regex(/^\P{Cc}*$/u, "must not contain control characters");

/** Absolute, so that it means the same wherever it is used. */
const absolutePath = z
  .string()
  .regex(/\S/, NOT_EMPTY)
  .transform((path) => resolve(path));

export const directoryPath = absolutePath;
export const filePath = absolutePath;

export const idText = z.string().trim().min(1, NOT_EMPTY);

const AN_EMAIL_ADDRESS = mustBe("an e-mail address such as ada@example.com");

/** The same check as in the sign-in library: an address that it refuses could never sign in. */
export const emailAddress = z.email(AN_EMAIL_ADDRESS).max(EMAIL_LENGTH_MAX, AN_EMAIL_ADDRESS);

const commaSeparated = z.string().transform((value) => value.split(",").map((word) => word.trim()));

/** In the order of the contract, whatever order they were typed in. */
export const scopeList: ValueKind<readonly Scope[]> = commaSeparated
  .transform((words) => (words.length === 1 && words[0] === "all" ? [...scopes] : words))
  .pipe(z.array(z.enum(scopes, mustBe(`one of ${scopes.join(", ")}, or all by itself`))))
  .transform((words) => scopes.filter((scope) => words.includes(scope)));

export const wordList = commaSeparated.pipe(z.array(z.string().min(1, NOT_EMPTY)));

/** In milliseconds. */
const duration = z
  .string()
  .regex(/^\d{1,6}[dh]$/)
  .transform((value) => Number(value.slice(0, -1)) * (value.endsWith("d") ? 24 : 1) * HOUR_MS)
  .refine((ms) => ms > 0 && ms <= LIFETIME_MS_MAX, { abort: true });

/** A time to live in milliseconds; `null` if it has no end. */
export const lifetime = z.union(
  [z.literal("never").transform(() => null), duration],
  mustBe("days or hours such as 90d or 12h, up to 3650d, or never"),
);

/** A point in time as Unix milliseconds. */
export const instant = z
  .string()
  .refine((value) => Instant.safeParse(value).success, {
    abort: true,
    ...mustBe("an instant such as 2026-01-02T03:04:05Z"),
  })
  .transform((value) => Date.parse(value));

/** An instant, or how long ago. */
export const instantOrAge = z.union(
  [duration.transform((ms) => Date.now() - ms), instant],
  mustBe("an instant such as 2026-01-02T03:04:05Z, or an age such as 7d or 12h"),
);

/** A token id, with or without the prefix it is listed with. A whole token is refused: arguments are no secret. */
export const tokenId = z
  .string()
  .regex(/^(?:kurz_)?[0-9A-Za-z]{12}(?:_.*)?$/, "must be a token id, as tokens list shows it")
  .transform((value) => value.replace(/^kurz_/, ""))
  .refine((value) => !value.includes("_"), {
    error: ({ input }) => `must be the token id alone: ${String(input).split("_")[0]}`,
  });
