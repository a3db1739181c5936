import type { LinkCreate, LinkPatch } from "#contract/link-record.ts";
import { findAnsweringHost } from "#domains/answering-host.ts";
import { domainForNewLink } from "#domains/link-domains.ts";
import type { Caller } from "#kernel/caller.ts";
import { slugOf } from "#kernel/link-key.ts";
import type { LinkChecks } from "./link-checks.ts";
import { fieldsOf } from "./link-columns.ts";
import type { LinkDeps } from "./link-deps.ts";
import { draftRowOf, type LinkDraft, standingOfNew } from "./link-draft.ts";
import { fieldsOfNew, patchFields } from "./link-fields.ts";
import { getLiveRow } from "./link-rows.ts";

/** In place of one that isn't drawn yet. */
const NEW_SLUG = "new";

/** Links with fields that nobody has saved. */
export function linkDrafts({ records, origin }: Pick<LinkDeps, "records" | "origin">, checks: LinkChecks) {
  return {
    /** The link with changes that aren't saved, checked as if they were. */
    async draft(caller: Caller, id: string, unsaved: Pick<LinkPatch, "rules" | "destination_url">): Promise<LinkDraft> {
      checks.assertRules(unsaved);
      const row = await getLiveRow(records.read, caller, id, "resolve");
      const before = fieldsOf(row);
      const fields = checks.assertValid(before, patchFields(before, unsaved, checks.serialise));
      await checks.assertAllowed(records.read, caller, before, fields);
      return {
        slug: slugOf(row.key),
        row: draftRowOf(row, fields),
        usedClicks: row.used_clicks,
        host: await findAnsweringHost(records.read, row.domain_no),
      };
    },

    /** A link that isn't created yet, checked as if it were. */
    async draftNew(caller: Caller, body: LinkCreate): Promise<LinkDraft> {
      checks.assertRules(body);
      const fields = checks.assertValid(null, fieldsOfNew(body, checks.serialise));
      await checks.assertAllowed(records.read, caller, null, fields);
      const domain = await domainForNewLink(records.read, caller, body.domain, origin.domain);
      return {
        slug: body.slug ?? NEW_SLUG,
        row: draftRowOf(standingOfNew(caller.accountNo), fields),
        usedClicks: 0,
        host: await findAnsweringHost(records.read, domain.no),
      };
    },
  };
}
