import type { Changer } from "#audit/link-audit.ts";
import { type RecordedFields, recordedFields, type VersionAction } from "#contract/link-history.ts";
import type { Link } from "#contract/link-record.ts";
import type { Sql } from "#engines/records/schema.ts";
import type { LinkRow } from "./link-record.ts";
import { insertVersion, listVersionsAbove } from "./link-versions.store.ts";

/** Every so often a row has all fields, so that no version is further than this from one that is known. */
const WHOLE_EVERY = 50;

/** A link before or after a change. */
interface Side {
  readonly row: LinkRow;
  readonly link: Link;
}

export interface NewVersion {
  readonly by: Pick<Changer, "actor" | "via">;
  readonly at: number;
  readonly action: Exclude<VersionAction, "created" | "unknown">;
  readonly revertedTo?: number | undefined;
  readonly from: Side;
  readonly to: Side;
}

/** Records what a change replaced, in the same transaction. The change is exactly one version. */
export async function appendVersion(tx: Sql, { by, at, action, revertedTo, from, to }: NewVersion): Promise<void> {
  if (to.row.version !== from.row.version + 1) throw new Error("a change of a link must be one version");
  const [before, after] = [recordedOf(from.link), recordedOf(to.link)];
  const changed = recordedFields.filter((field) => !isSame(before, after, field));
  // Its values are never kept, only that there is another one.
  if (from.row.password_hash !== to.row.password_hash && !changed.includes("password_protected")) {
    changed.push("password_protected");
  }
  const isWhole = to.row.version % WHOLE_EVERY === 0;
  await insertVersion(tx, {
    link_no: to.row.no,
    version: to.row.version,
    at,
    actor: by.actor,
    via: by.via,
    action,
    reverted_to: revertedTo ?? null,
    before: JSON.stringify(isWhole ? before : pick(before, changed)),
    after: JSON.stringify(pick(after, changed)),
  });
}

/** The fields of a version, or `null` if the link never had it, or had it before its history began. */
export async function findVersion(sql: Sql, { row, link }: Side, version: number): Promise<RecordedFields | null> {
  let known: RecordedFields = {};
  for (let reached = version; reached < row.version; ) {
    const later = await listVersionsAbove(sql, row.no, reached, WHOLE_EVERY);
    for (const { version: next, before } of later) {
      // A release that keeps no history may have changed it in between.
      if (next !== reached + 1) return null;
      reached = next;
      // What is known already was replaced first.
      known = { ...(JSON.parse(before) as RecordedFields), ...known };
      if (recordedFields.every((field) => field in known)) return known;
    }
    if (later.length === 0) return null;
  }
  return version > row.version ? null : { ...recordedOf(link), ...known };
}

export const recordedOf = (link: Link): RecordedFields => pick(link, recordedFields);

const pick = (fields: RecordedFields, names: readonly (keyof Link)[]): RecordedFields =>
  Object.fromEntries(names.map((name) => [name, fields[name as keyof RecordedFields]]));

const isSame = (a: RecordedFields, b: RecordedFields, field: keyof Link): boolean =>
  JSON.stringify(a[field as keyof RecordedFields]) === JSON.stringify(b[field as keyof RecordedFields]);
