import type { z } from "zod";
import type { Endpoint } from "#contract/endpoint.ts";
import { BulkOperation } from "#contract/link-bulk.ts";
import type { LinkCreate, LinkPatch } from "#contract/link-record.ts";
import { createLink, type LinkAction, updateLink } from "#contract/links.ts";
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

  const read = <E extends Endpoint & { readonly body: z.ZodObject }>(endpoint: E, json: unknown) => {
    const { value, errors } = parseBody({ endpoint, checkBody }, json);
    if (errors.length > 0) throw validationFailed(errors);
    return value as z.output<E["body"]>;
  };

  return (json: unknown): CheckedOperation => {
    const parsed = BulkOperation.safeParse(json);
    if (!parsed.success) throw validationFailed(fieldErrors("body", parsed.error.issues, json));
    const operation = parsed.data;
    if (operation.op === "create") return { op: "create", body: read(createLink, operation.link) };
    const ifMatch = operation.if_version === undefined ? null : [String(operation.if_version)];
    const { op, id } = operation;
    if (op === "update") return { op, id, ifMatch, patch: read(updateLink, operation.link) };
    return op === "delete" ? { op, id, ifMatch, permanent: operation.permanent === true } : { op, id, ifMatch };
  };
}
