import { z } from "zod";
import type { FieldError } from "#contract/errors.ts";
import { label } from "#contract/fields.ts";
import { type ChosenEvent, chosenEvents } from "#contract/webhooks.ts";
import type { OutboundClient } from "#engines/outbound/outbound-client.ts";
import { bodyProblem, validationFailed } from "#kernel/api-error.ts";
import { findNearest } from "#shared/nearest-word.ts";

/** The fields an owner can set. */
export interface EndpointFields {
  readonly url: string;
  readonly events: readonly string[];
  readonly description: string | null;
}

/** Without the fields that a request leaves out. */
export const givenFields = ({
  url,
  events,
  description,
}: { readonly [K in keyof EndpointFields]?: EndpointFields[K] | undefined }): Partial<EndpointFields> => ({
  ...(url !== undefined && { url }),
  ...(events !== undefined && { events }),
  ...(description !== undefined && { description }),
});

export interface CheckedFields {
  readonly url?: string;
  readonly events?: readonly ChosenEvent[];
  readonly description?: string | null;
}

const URL_LENGTH_MAX = 2048;
const Description = label(255);

/** Throws with all problems, by field. Omitted fields are ignored. */
export function checkEndpointFields(
  fields: Partial<EndpointFields>,
  findUrlProblem: OutboundClient["findUrlProblem"],
): CheckedFields {
  const problems: FieldError[] = [];
  const checked: { -readonly [K in keyof CheckedFields]: CheckedFields[K] } = {};
  if (fields.url !== undefined) {
    const problem = findUrlFieldError(fields.url, findUrlProblem);
    if (problem) problems.push(problem);
    else checked.url = new URL(fields.url).href;
  }
  if (fields.events !== undefined) {
    const { events } = fields;
    problems.push(...findEventErrors(events));
    checked.events = chosenEvents.filter((event) => events.includes(event));
  }
  if (fields.description !== undefined) {
    const parsed = z.nullable(Description).safeParse(fields.description);
    if (parsed.success) checked.description = parsed.data;
    else
      problems.push(
        bodyProblem("description", "invalid_format", "Use 1 to 255 characters, without control characters."),
      );
  }
  if (problems.length > 0) throw validationFailed(problems);
  return checked;
}

function findUrlFieldError(url: string, findUrlProblem: OutboundClient["findUrlProblem"]): FieldError | null {
  if (url.length > URL_LENGTH_MAX) return bodyProblem("url", "too_long", `Use at most ${URL_LENGTH_MAX} characters.`);
  const problem = findUrlProblem(url);
  return problem && bodyProblem("url", problem.code, problem.message);
}

function findEventErrors(events: readonly string[]): FieldError[] {
  if (events.length === 0) return [bodyProblem("events", "too_short", "Choose at least one event.")];
  return events
    .filter((event) => !(chosenEvents as readonly string[]).includes(event))
    .map((event) => {
      const nearest = findNearest(event, chosenEvents);
      const hint = nearest ? `did you mean ${nearest}?` : `available events: ${chosenEvents.join(", ")}.`;
      return bodyProblem("events", "not_in_enum", `There is no event ${JSON.stringify(event)}; ${hint}`);
    });
}
