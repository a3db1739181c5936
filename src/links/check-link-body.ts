import type { FieldError } from "#contract/errors.ts";
import { METADATA_PAIRS_MAX } from "#contract/link-record.ts";
import { bodyProblem } from "#kernel/api-error.ts";
import type { Clock } from "#kernel/clock.ts";
import { checkDestinationLength, type DestinationRules } from "#shared/destination-rules.ts";
import { locationOf } from "#shared/location.ts";
import { checkDestination } from "./destination.ts";
import { destinationsOf } from "./link-destinations.ts";
import { isMetadataSmall, type LinkFields } from "./link-fields.ts";
import { isReservedSlug } from "./slug.ts";

type RawBody = Readonly<Record<string, unknown>>;

/** Field rules that depend on the deployment. Checks the raw body, along with the schema. */
export function linkBodyCheck(rules: DestinationRules, clock: Clock): (body: RawBody) => FieldError[] {
  return ({ destination_url, slug, expires_at }) => {
    const problems: FieldError[] = [];
    if (typeof destination_url === "string") {
      const checked = checkDestination(destination_url, rules);
      if (!checked.ok) problems.push(bodyProblem("destination_url", checked.code, checked.message));
    }
    if (typeof slug === "string" && isReservedSlug(slug)) {
      problems.push(bodyProblem("slug", "reserved_slug", `"${slug}" is reserved.`));
    }
    if (typeof expires_at === "string") problems.push(...checkExpiry(Date.parse(expires_at), clock()));
    return problems;
  };
}

export const checkExpiry = (expiresAt: number | null, now: number): FieldError[] =>
  expiresAt !== null && expiresAt <= now ? [bodyProblem("expires_at", "in_past", "Must be in the future.")] : [];

/** A link must start before it expires. Only what is new is judged, so that the rest can always be changed. */
export function checkPeriod(
  before: LinkFields | null,
  { expires_at, settings: { starts_at } }: LinkFields,
): FieldError[] {
  if (expires_at === null || starts_at === undefined || starts_at < expires_at) return [];
  if (starts_at !== before?.settings.starts_at) {
    return [bodyProblem("starts_at", "out_of_range", "Must be before expires_at.")];
  }
  if (expires_at === before.expires_at) return [];
  return [bodyProblem("expires_at", "out_of_range", "Must be later than starts_at.")];
}

/** Rules for the link as a whole: the URLs visitors are sent to must fit a header, and a patch adds to what is there. */
export const checkWholeLink = (fields: LinkFields): FieldError[] => [
  ...destinationsOf(fields).flatMap(({ field, url }) => {
    const checked = checkDestinationLength(locationOf(url, fields.utm));
    return checked.ok ? [] : [bodyProblem(field, checked.code, checked.message)];
  }),
  ...(isMetadataSmall(fields.metadata)
    ? []
    : [bodyProblem("metadata", "too_long", `A link can have at most ${METADATA_PAIRS_MAX} pairs.`)]),
];
