import type { Link, LinkCreate } from "#contract/link-record.ts";
import { createLink } from "#contract/links.ts";
import { domainForNewLink } from "#domains/link-domains.ts";
import type { Sql } from "#engines/records/schema.ts";
import { parseBody } from "#http/read-input.ts";
import { ApiError, validationFailed } from "#kernel/api-error.ts";
import type { Caller } from "#kernel/caller.ts";
import { type LinkKey, linkKey } from "#kernel/link-key.ts";
import type { LinkChange } from "./change-link.ts";
import { linkBodyCheck } from "./check-link-body.ts";
import type { LinkCreation } from "./create-link.ts";
import { assertExternalIdFree } from "./external-id.ts";
import type { Arrival } from "./imported-link.ts";
import type { LinkChecks } from "./link-checks.ts";
import type { LinkDeps, LinkWork } from "./link-deps.ts";
import { fieldsOfNew } from "./link-fields.ts";
import { getRow } from "./link-rows.ts";
import { type LinkTrash, linkTrash } from "./link-trash.ts";
import { freeKey, isKeyTaken } from "./links.store.ts";

interface UseCases {
  readonly create: LinkCreation;
  readonly checks: LinkChecks;
  readonly change: LinkChange;
  readonly trash: LinkTrash;
}

/** What would be there already, because links before this one would be created. */
export interface Foreseen {
  hasKey(key: LinkKey): boolean;
  hasExternalId(externalId: string): boolean;
}

export interface ForeseenLink {
  /** `null` for a random one. */
  readonly key: LinkKey | null;
  readonly externalId: string | null;
}

/** Links that move in: the use case of a single call, with what an import knows beside the fields of a new link. */
export function linkImports(deps: LinkDeps, { create, checks, change, trash }: UseCases) {
  const { destinations, origin, outbox } = deps;
  // A link may have expired at its source.
  const checkBody = linkBodyCheck(destinations, () => Number.NEGATIVE_INFINITY);
  const silentTrash = linkTrash({ ...deps, outbox: { ...outbox, append: async () => {} } }, change);

  const read = (json: unknown): LinkCreate => {
    const { value, errors } = parseBody({ endpoint: createLink, checkBody }, json);
    if (errors.length > 0) throw validationFailed(errors);
    return value as LinkCreate;
  };

  return {
    /** Checks a link as if it were sent, and returns how to create it. */
    async prepareArrival(caller: Caller, json: unknown, arrival: Arrival): Promise<LinkWork<Link>> {
      const work = (await create(caller, read(json), { arrival }))();
      return async (tx, now) => (await work(tx, now)) as Link;
    },

    /** Throws what creating the link would throw, but for the plan's number of links. Changes nothing. */
    async foreseeArrival(sql: Sql, caller: Caller, json: unknown, seen: Foreseen): Promise<ForeseenLink> {
      const body = read(json);
      checks.assertRules(body);
      const fields = checks.assertValid(null, fieldsOfNew(body, checks.serialise));
      await checks.assertAllowed(sql, caller, null, fields);
      const domain = await domainForNewLink(sql, caller, body.domain, origin.domain);
      const externalId = fields.external_id;
      await assertExternalIdFree(sql, caller.accountNo, externalId);
      if (externalId !== null && seen.hasExternalId(externalId)) {
        const message = `Another link of the import has the external_id "${externalId}" already.`;
        throw new ApiError("external_id_taken", message, { external_id: externalId, link_id: "" });
      }
      if (body.slug == null) return { key: null, externalId };
      const slug = body.slug.toLowerCase();
      const key = linkKey(domain.no, slug);
      if (seen.hasKey(key) || (await isKeyTaken(sql, caller.accountNo, key))) {
        throw new ApiError("slug_taken", `The slug "${slug}" is already taken.`, { slug });
      }
      return { key, externalId };
    },

    /** Erases a link whose import is undone. Its address is free again, for this account alone. */
    takeBack:
      (caller: Caller, id: string, { sendsEvents }: Pick<Arrival, "sendsEvents">): LinkWork<void> =>
      async (tx, now) => {
        const { key } = await getRow(tx, caller, id);
        await (sendsEvents ? trash : silentTrash).erase(caller, id, null)(tx, now);
        await freeKey(tx, key, caller.accountNo);
      },
  };
}
export type LinkImports = ReturnType<typeof linkImports>;
