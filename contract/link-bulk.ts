import { z } from "zod";
import { endpoint } from "./endpoint.ts";
import { OperationError } from "./errors.ts";
import { BULK_BODY_BYTES_MAX, BULK_OPERATIONS_MAX, BULK_OPERATIONS_PER_REQUEST, BULK_PATH } from "./limits.ts";
import { exampleLink, Link, LinkCreate, LinkPatch } from "./link-record.ts";
import { linkActions } from "./links.ts";
import { publishedAs } from "./published-as.ts";

/** Hashing one takes a core for a moment, and the request waits for all of them. */
export const BULK_PASSWORDS_MAX = 100;

const target = {
  id: z.string().max(255).describe("The link's `id`."),
  if_version: z
    .int()
    .optional()
    .describe("Only if the link has this `version`, as with `If-Match`; otherwise the operation fails with 412."),
};
const CreateOp = z.literal("create");
const UpdateOp = z.literal("update");
const ActionOp = z.enum(linkActions);
const DeleteOp = z.literal("delete");
const permanent = z.boolean().optional().describe("`true`: erase the link and its clicks at once.");

/** Read first, so that an unknown one is named as such. */
export const NamedOperation = z.looseObject({ op: z.enum(["create", "update", ...linkActions, "delete"]) });

/** What operations have besides the link itself, whose fields are checked as in a request of its own. */
export const operationSchemas = {
  create: z.strictObject({ op: CreateOp, link: z.unknown() }),
  update: z.strictObject({ op: UpdateOp, ...target, link: z.unknown() }),
  action: z.strictObject({ op: ActionOp, ...target }),
  delete: z.strictObject({ op: DeleteOp, ...target, permanent }),
};

const operation = (name: string, description: string, shape: z.core.$ZodLooseShape) =>
  z.strictObject(shape).meta({ id: name, description });

const PublishedOperation = z
  .discriminatedUnion("op", [
    operation("LinkCreateOperation", "Creates a link.", { op: CreateOp, link: LinkCreate }),
    operation("LinkUpdateOperation", "Updates a link.", { op: UpdateOp, ...target, link: LinkPatch }),
    operation("LinkActionOperation", "Changes a link's state.", { op: ActionOp, ...target }),
    operation("LinkDeleteOperation", "Deletes a link.", { op: DeleteOp, ...target, permanent }),
  ])
  .meta({ id: "LinkOperation", description: "One operation of many." });

// A mistake in one operation is that operation's result, and no reason to refuse the others.
const SentOperation = z.unknown();
publishedAs.set(SentOperation, PublishedOperation);

const LinkBulk = z
  .strictObject({
    operations: z
      .array(SentOperation)
      .min(1)
      .max(BULK_OPERATIONS_MAX)
      .describe(`Up to ${BULK_OPERATIONS_MAX} operations, in the order in which they run.`),
    atomic: z
      .boolean()
      .default(false)
      .describe("`true`: if one operation fails, none of them happens, and the request fails with `operation_failed`."),
  })
  .meta({ id: "LinkBulk", description: "Operations on links." });
export type LinkBulk = z.output<typeof LinkBulk>;

export const BulkResult = z
  .object({
    status: z.int().describe("The status that a request of its own would have had."),
    link: Link.nullable().describe("The link after the operation. `null` if it failed or deleted the link."),
    error: OperationError.nullable().describe("Why the operation failed."),
  })
  .meta({ id: "LinkOperationResult", description: "What came of one operation." });
export type BulkResult = z.output<typeof BulkResult>;

const LinkBulkResults = z
  .object({
    succeeded: z.int().describe("How many operations succeeded."),
    failed: z.int().describe("How many failed."),
    results: z.array(BulkResult).describe("One result per operation, in the same order."),
  })
  .meta({ id: "LinkBulkResults", description: "What came of each operation." });
export type LinkBulkResults = z.output<typeof LinkBulkResults>;

export const bulkLinks = endpoint({
  id: "links.bulk",
  method: "POST",
  path: BULK_PATH,
  summary: "Change many links at once",
  description:
    "Runs operations in order, each with the checks, limits and events of a request of its own. By default each succeeds " +
    "or fails by itself, and the response is 200 with a result for each. With an `Idempotency-Key`, a retry runs nothing " +
    "twice, and goes on where the first request was cut off. Against the rate limit, it counts as one request plus one " +
    `for every ${BULK_OPERATIONS_PER_REQUEST} operations. At most ${BULK_PASSWORDS_MAX} operations can set a password.`,
  tag: "Links",
  scope: "links:write",
  idempotencyKey: true,
  body: LinkBulk,
  bodyBytesMax: BULK_BODY_BYTES_MAX,
  bodyDepthAdded: 4,
  status: 200,
  response: LinkBulkResults,
  errors: ["operation_failed"],
  examples: {
    body: {
      operations: [
        { op: "create", link: { destination_url: "https://example.com/sale", title: "Spring sale" } },
        { op: "pause", id: "lnk_01k9zq3v7m8r5c2x4t6w0h1jbb" },
      ],
    },
    response: {
      succeeded: 1,
      failed: 1,
      results: [
        { status: 201, link: exampleLink, error: null },
        {
          status: 404,
          link: null,
          error: { code: "not_found", message: "There is no such object in this account." },
        },
      ],
    },
  },
});
