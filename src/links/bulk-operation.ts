import type { z } from "zod";
import type { Endpoint } from "#contract/endpoint.ts";
import { NamedOperation, operationSchemas } from "#contract/link-bulk.ts";
import type { LinkCreate, LinkPatch } from "#contract/link-record.ts";
import { createLink, type LinkAction, updateLink } from "#contract/links.ts";
import { limitLengthChecks } from "#http/length-checks.ts";
import { parseBody } from "#http/read-input.ts";
import { validationFailed } from "#kernel/api-error.ts";
import type { Clock } from "#kernel/clock.ts";
import type { IfMatch } from "#kernel/precondition.ts";
import type { DestinationRules } from "#shared/destination-rules.ts";
import { fieldErrors } from "#shared/field-errors.ts";
import { linkBodyCheck } from "./check-link-body.ts";

export type CheckedOperation =
  | { readonly op: "create"; readonly body: LinkCreate }
  | { readonly op: "update"; readonly id: string; readonly ifMatch: IfMatch; readonly patch: LinkPatch }
  | { readonly op: LinkAction; readonly id: string; readonly ifMatch: IfMatch }
  | { readonly op: "delete"; readonly id: string; readonly ifMatch: IfMatch; readonly permanent: boolean };

/** Reads operations as requests of their own are read, with the same errors. */
export function operationReader(destinations: DestinationRules, clock: Clock) {
  const checkBody = linkBodyCheck(destinations, clock);
  for (const schema of Object.values(operationSchemas)) limitLengthChecks(schema);

  const read = <E extends Endpoint & { readonly body: z.ZodObject }>(endpoint: E, json: unknown) => {
    const { value, errors } = parseBody({ endpoint, checkBody }, json);
    if (errors.length > 0) throw validationFailed(errors);
    return value as z.output<E["body"]>;
  };

  return (json: unknown): CheckedOperation => {
    const { op } = parse(NamedOperation, json);
    if (op === "create") return { op, body: read(createLink, parse(operationSchemas.create, json).link) };
    if (op === "update") {
      const { id, if_version, link } = parse(operationSchemas.update, json);
      return { op, id, ifMatch: if_version ?? null, patch: read(updateLink, link) };
    }
    if (op === "delete") {
      const { id, if_version, permanent = false } = parse(operationSchemas.delete, json);
      return { op, id, ifMatch: if_version ?? null, permanent };
    }
    const { id, if_version } = parse(operationSchemas.action, json);
    return { op, id, ifMatch: if_version ?? null };
  };
}

function parse<S extends z.ZodType>(schema: S, json: unknown): z.output<S> {
  const parsed = schema.safeParse(json);
  if (!parsed.success) throw validationFailed(fieldErrors("body", parsed.error.issues, json));
  return parsed.data;
}
