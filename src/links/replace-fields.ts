import type { LinkPatch } from "#contract/link-record.ts";

type Fields = Readonly<Record<string, unknown>>;

/** Those that a patch merges by key instead of replacing them. */
const isMerged = (value: unknown): value is Fields =>
  typeof value === "object" && value !== null && !Array.isArray(value);

/** The patch that gives a link these fields: only what differs, so that the rest isn't judged again. */
export function patchTo(current: Fields, wanted: Fields): LinkPatch {
  const changed = Object.entries(wanted).filter(
    ([field, value]) => JSON.stringify(value) !== JSON.stringify(current[field]),
  );
  return Object.fromEntries(changed.map(([field, value]) => [field, replacing(current[field], value)])) as LinkPatch;
}

function replacing(current: unknown, wanted: unknown): unknown {
  if (!isMerged(current) || !isMerged(wanted)) return wanted;
  return { ...Object.fromEntries(Object.keys(current).map((key) => [key, null])), ...wanted };
}
