import type { Input, ListedState, Option, Positional } from "../command.ts";
import { UsageError } from "../exit-codes.ts";

/** What both new and existing links can be given. */
export const linkFields = {
  title: { value: "TEXT", help: "A name for the link." },
  notes: { value: "TEXT", help: "Text for your team." },
  expires: { value: "TIME", help: "When the link expires: 12h, 7d, 2027-01-31, a timestamp, or never." },
  "max-clicks": { value: "N", help: "The link expires after so many clicks." },
} as const satisfies Readonly<Record<string, Option>>;

export const tagOption = (help: string): Option => ({ value: "TAG", help, many: true });

/** A link, where the shell suggests those in these states. */
export const linkIn = (...links: readonly ListedState[]): Positional => ({
  label: "LINK",
  help: "The link's slug, DOMAIN/SLUG, short URL or id.",
  completes: { links },
});

export const LINK = linkIn("active", "paused");

/** A whole number that was typed. */
export function numberOf(input: Input, name: string): number | undefined {
  const text = input.text(name);
  if (text === undefined) return undefined;
  if (!/^\d{1,9}$/.test(text)) throw new UsageError(`--${name} must be a whole number, not ${JSON.stringify(text)}`);
  return Number(text);
}
