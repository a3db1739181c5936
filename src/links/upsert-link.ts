import { Link, LinkPatch } from "#contract/link-record.ts";
import type { LinkReplace } from "#contract/link-upsert.ts";
import { OtherStatus } from "#http/route.ts";
import { ApiError, bodyProblem, validationFailed } from "#kernel/api-error.ts";
import type { Caller } from "#kernel/caller.ts";
import type { IfMatch } from "#kernel/precondition.ts";
import type { LinkChange } from "./change-link.ts";
import { checkExpiry } from "./check-link-body.ts";
import type { CreatedLink, LinkCreation } from "./create-link.ts";
import { assertNone, type LinkChecks } from "./link-checks.ts";
import { fieldsOf } from "./link-columns.ts";
import type { LinkDeps, LinkWork } from "./link-deps.ts";
import { patchFields } from "./link-fields.ts";
import { hashLinkPassword, isLinkPassword, TooManyChecks } from "./link-password.ts";
import { type LinkRow, toLink } from "./link-record.ts";
import { findIdOfExternalId, findLink } from "./links.store.ts";
import { patchTo } from "./replace-fields.ts";
import type { LinkUpdates } from "./update-link.ts";

interface UseCases {
  readonly change: LinkChange;
  readonly checks: LinkChecks;
  readonly create: LinkCreation;
  readonly updates: LinkUpdates;
}

/** What a password that was sent becomes: the hash that a link has, if that is of the same password. */
type HashFor = (row: LinkRow) => string | null;

const replacedFields = Object.keys(LinkPatch.shape).filter((field) => field in Link.shape && field !== "external_id");

/** Checks a link that another system names, and returns how to create or replace it. */
export const linkUpsert =
  ({ records, origin }: Pick<LinkDeps, "records" | "origin">, { change, checks, create, updates }: UseCases) =>
  async (caller: Caller, externalId: string, body: LinkReplace, ifMatch: IfMatch): Promise<LinkWork<CreatedLink>> => {
    const { accountNo } = caller;

    /** Hashes of one password differ; without a look at the old one, each repetition would be another version. */
    const hashFor = async (newHash: string | null): Promise<HashFor> => {
      const { password } = body;
      if (password === undefined) return (row) => row.password_hash;
      if (password === null) return () => null;
      const id = await findIdOfExternalId(records.read, accountNo, externalId);
      const known = id === undefined ? undefined : (await findLink(records.read, accountNo, id))?.password_hash;
      const same = known && (await isSamePassword(password, known)) ? known : null;
      return (row) => (row.password_hash === same ? same : newHash);
    };

    const newHash = body.password == null ? null : await hashLinkPassword(body.password);
    const creation = await create(caller, { ...body, external_id: externalId }, { knownHash: newHash });
    const hashOf = await hashFor(newHash);

    const replacement = (id: string): LinkWork<Link> =>
      change(caller, id, { ifMatch, event: "link.updated", action: "update" }, (tx, row, now) => {
        const link = toLink(row, origin, now);
        assertAddress(link, body);
        const sent = body as Readonly<Record<string, unknown>>;
        const wanted = Object.fromEntries(replacedFields.map((field) => [field, sent[field] ?? null]));
        const patch = patchTo(link, wanted);
        const before = fieldsOf(row);
        const fields = checks.assertValid(before, patchFields(before, patch, checks.serialise));
        if (fields.expires_at !== before.expires_at) assertNone(checkExpiry(fields.expires_at, now));
        return updates.save(tx, caller, row, { fields, hash: hashOf(row), now });
      });

    return async (tx, now) => {
      const id = await findIdOfExternalId(tx, accountNo, externalId);
      if (id !== undefined) return new OtherStatus(200, await replacement(id)(tx, now));
      // RFC 9110 §13.1.1: what isn't there matches nothing.
      if (ifMatch !== null) throw nothingMatches();
      return creation()(tx, now);
    };
  };
export type LinkUpsert = ReturnType<typeof linkUpsert>;

async function isSamePassword(password: string, hash: string): Promise<boolean> {
  try {
    return await isLinkPassword(password, hash);
  } catch (error) {
    // Then it counts as another one, which is as good.
    if (error instanceof TooManyChecks) return false;
    throw error;
  }
}

function assertAddress(link: Link, { slug, domain }: LinkReplace): void {
  const problems = [
    ...(slug != null && slug.toLowerCase() !== link.slug ? (["slug"] as const) : []),
    ...(domain != null && domain.toLowerCase() !== link.domain ? (["domain"] as const) : []),
  ];
  if (problems.length === 0) return;
  throw validationFailed(
    problems.map((field) => bodyProblem(field, "read_only_field", "This field can't be changed.")),
  );
}

const nothingMatches = (): ApiError =>
  new ApiError("precondition_failed", "There is no link with this external_id, so If-Match names no version of it.", {
    current_version: 0,
  });
