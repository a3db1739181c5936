import type { LinkVersion, RecordedFields } from "#contract/link-history.ts";
import type { Link } from "#contract/link-record.ts";

export type RecordedField = keyof RecordedFields;

/** What reverting leaves as it is. */
const keptFields: readonly string[] = ["state", "blocked", "password_protected", "external_id"];

const isSame = (a: unknown, b: unknown): boolean => JSON.stringify(a ?? null) === JSON.stringify(b ?? null);

/**
 * The fields that reverting to a version would change, by what the versions after it replaced: newest first, down to
 * that version.
 */
export function revertedFields(link: Link, versions: readonly LinkVersion[], version: number): RecordedField[] {
  const then: RecordedFields = {};
  for (const { version: later, before } of versions) if (later > version) Object.assign(then, before);
  return (Object.keys(then) as RecordedField[]).filter(
    (field) => !keptFields.includes(field) && !isSame(then[field], link[field]),
  );
}
