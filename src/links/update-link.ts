import { type Link, type LinkPatch, TAGS_MAX, type TagChange } from "#contract/link-record.ts";
import type { LinkAction } from "#contract/links.ts";
import type { Sql } from "#engines/records/schema.ts";
import { bodyProblem, validationFailed } from "#kernel/api-error.ts";
import type { Caller } from "#kernel/caller.ts";
import { slugOf } from "#kernel/link-key.ts";
import type { IfMatch } from "#kernel/precondition.ts";
import { releaseActiveLink, reserveActiveLink } from "#plans/plan-limits.ts";
import type { Changed, LinkChange } from "./change-link.ts";
import { checkExpiry } from "./check-link-body.ts";
import { assertExternalId } from "./external-id.ts";
import { assertNone, type LinkChecks } from "./link-checks.ts";
import { columnsOf, fieldsOf } from "./link-columns.ts";
import type { LinkDeps, LinkWork } from "./link-deps.ts";
import { eventOfAction } from "./link-events.ts";
import { changeTags, isSameFields, type LinkFields, patchFields } from "./link-fields.ts";
import { hashLinkPassword } from "./link-password.ts";
import { type LinkRow, toLink } from "./link-record.ts";
import { applyAction } from "./link-state.ts";
import { findVersion } from "./link-version.ts";
import { replaceTags, updateLink } from "./links.store.ts";
import { patchTo } from "./replace-fields.ts";

interface Saved {
  readonly fields: LinkFields;
  readonly hash: string | null;
  readonly now: number;
}

type EditTags = (tags: readonly string[]) => readonly string[];

/** Changes of links that aren't in the trash: each checks its request, and returns how to make the change. */
export function linkUpdates({ origin }: Pick<LinkDeps, "origin">, change: LinkChange, checks: LinkChecks) {
  /** Saves new fields, unless nothing differs (`null`). */
  const save = async (tx: Sql, caller: Caller, row: LinkRow, { fields, hash, now }: Saved): Promise<Changed | null> => {
    const before = fieldsOf(row);
    if (isSameFields(before, fields) && hash === row.password_hash) return null;
    await checks.assertAllowed(tx, caller, before, fields);
    await assertExternalId(tx, row, fields);
    if (JSON.stringify(before.tags) !== JSON.stringify(fields.tags)) await replaceTags(tx, row, fields.tags);
    const columns = columnsOf(fields, slugOf(row.key));
    return { to: await updateLink(tx, row, { ...columns, password_hash: hash, updated_at: now }) };
  };

  const editTags = (caller: Caller, id: string, edit: EditTags, ifMatch: IfMatch = null): LinkWork<Link> =>
    change(caller, id, { ifMatch, event: "link.updated", action: "update" }, (tx, row, now) => {
      const before = fieldsOf(row);
      const fields = { ...before, tags: edit(before.tags) };
      return save(tx, caller, row, { fields, hash: row.password_hash, now });
    });

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
      const edit = (tags: readonly string[]): readonly string[] => {
        const changed = changeTags(tags, tagChange);
        if (changed.length <= TAGS_MAX) return changed;
        throw validationFailed([bodyProblem("add", "too_long", `A link can have at most ${TAGS_MAX} tags.`)]);
      };
      return editTags(caller, id, edit, ifMatch);
    },

    editTags,

    act(caller: Caller, id: string, action: LinkAction, ifMatch: IfMatch): LinkWork<Link> {
      return change(caller, id, { ifMatch, event: eventOfAction[action], action }, async (tx, row, now) => {
        const after = applyAction(row, action, now);
        if (!after) return null;
        if (after.state === "active") await reserveActiveLink(tx, caller);
        else if (row.state === "active") await releaseActiveLink(tx, caller.accountNo);
        const { state, state_before_archive, paused_at, archived_at } = after;
        const values = { state, state_before_archive, paused_at, archived_at, updated_at: now };
        return { to: await updateLink(tx, row, values) };
      });
    },

    /** State and password stay, and what can't be changed once it is set. */
    revert(caller: Caller, id: string, version: number, ifMatch: IfMatch): LinkWork<Link> {
      const kind = { ifMatch, event: "link.updated", action: "revert", revertedTo: version } as const;
      return change(caller, id, kind, async (tx, row, now) => {
        const link = toLink(row, origin, now);
        const found = await findVersion(tx, { row, link }, version);
        if (!found) {
          throw validationFailed([bodyProblem("version", "out_of_range", `Version ${version} isn't in the history.`)]);
        }
        const { state: _, blocked: __, password_protected: ___, ...writable } = found;
        const patch = patchTo(link, { ...writable, external_id: row.external_id ?? writable.external_id });
        checks.assertRules(patch);
        if (patch.expires_at != null) assertNone(checkExpiry(Date.parse(patch.expires_at), now));
        const before = fieldsOf(row);
        const fields = checks.assertValid(before, patchFields(before, patch, checks.serialise));
        return save(tx, caller, row, { fields, hash: row.password_hash, now });
      });
    },
  };
}
export type LinkUpdates = ReturnType<typeof linkUpdates>;
