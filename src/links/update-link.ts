import { type Link, type LinkPatch, TAGS_MAX, type TagChange } from "#contract/link-record.ts";
import type { LinkAction } from "#contract/links.ts";
import type { Sql } from "#engines/records/schema.ts";
import { bodyProblem, validationFailed } from "#kernel/api-error.ts";
import type { Caller } from "#kernel/caller.ts";
import { slugOf } from "#kernel/link-key.ts";
import type { IfMatch } from "#kernel/precondition.ts";
import { releaseActiveLink, reserveActiveLink } from "#plans/plan-limits.ts";
import type { LinkChange } from "./change-link.ts";
import { assertExternalId } from "./external-id.ts";
import type { LinkChecks } from "./link-checks.ts";
import { columnsOf, fieldsOf } from "./link-columns.ts";
import type { LinkWork } from "./link-deps.ts";
import { eventOfAction } from "./link-events.ts";
import { changeTags, isSameFields, type LinkFields, patchFields } from "./link-fields.ts";
import { hashLinkPassword } from "./link-password.ts";
import type { LinkRow } from "./link-record.ts";
import { applyAction } from "./link-state.ts";
import { replaceTags, updateLink } from "./links.store.ts";

interface Saved {
  readonly fields: LinkFields;
  readonly hash: string | null;
  readonly now: number;
}

/** Changes of links that aren't in the trash: each checks its request, and returns how to make the change. */
export function linkUpdates(change: LinkChange, checks: LinkChecks) {
  /** Saves new fields, unless nothing differs (`null`). */
  const save = async (tx: Sql, caller: Caller, row: LinkRow, { fields, hash, now }: Saved): Promise<LinkRow | null> => {
    const before = fieldsOf(row);
    if (isSameFields(before, fields) && hash === row.password_hash) return null;
    await checks.assertAllowed(tx, caller, before, fields);
    await assertExternalId(tx, row, fields);
    if (JSON.stringify(before.tags) !== JSON.stringify(fields.tags)) await replaceTags(tx, row, fields.tags);
    return updateLink(tx, row, { ...columnsOf(fields, slugOf(row.key)), password_hash: hash, updated_at: now });
  };

  return {
    save,

    async update(caller: Caller, id: string, patch: LinkPatch, ifMatch: IfMatch): Promise<LinkWork<Link>> {
      checks.assertRules(patch);
      // Once, because the transaction may run several times.
      const newHash = patch.password == null ? patch.password : await hashLinkPassword(patch.password);
      return change(caller, id, { ifMatch, event: "link.updated", action: "update" }, (tx, row, now) => {
        const before = fieldsOf(row);
        const fields = checks.assertValid(before, patchFields(before, patch, checks.serialise));
        const hash = newHash === undefined ? row.password_hash : newHash;
        return save(tx, caller, row, { fields, hash, now });
      });
    },

    changeTags(caller: Caller, id: string, tagChange: TagChange, ifMatch: IfMatch): LinkWork<Link> {
      return change(caller, id, { ifMatch, event: "link.updated", action: "update" }, (tx, row, now) => {
        const before = fieldsOf(row);
        const fields = { ...before, tags: changeTags(before.tags, tagChange) };
        if (fields.tags.length > TAGS_MAX) {
          throw validationFailed([bodyProblem("add", "too_long", `A link can have at most ${TAGS_MAX} tags.`)]);
        }
        return save(tx, caller, row, { fields, hash: row.password_hash, now });
      });
    },

    act(caller: Caller, id: string, action: LinkAction, ifMatch: IfMatch): LinkWork<Link> {
      return change(caller, id, { ifMatch, event: eventOfAction[action], action }, async (tx, row, now) => {
        const after = applyAction(row, action, now);
        if (!after) return null;
        if (after.state === "active") await reserveActiveLink(tx, caller);
        else if (row.state === "active") await releaseActiveLink(tx, caller.accountNo);
        const { state, state_before_archive, paused_at, archived_at } = after;
        return updateLink(tx, row, { state, state_before_archive, paused_at, archived_at, updated_at: now });
      });
    },
  };
}
export type LinkUpdates = ReturnType<typeof linkUpdates>;
