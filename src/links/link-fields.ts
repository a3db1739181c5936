import { utmKeys } from "#contract/limits.ts";
import {
  type LinkCreate,
  type LinkPatch,
  METADATA_PAIRS_MAX,
  type TagChange,
  type Utm,
} from "#contract/link-record.ts";
import type { LinkSettings } from "#visits/link-settings.ts";
import { changeSettings, type SerialiseAt } from "./link-settings.ts";

/** The fields an owner can set, as stored. */
export interface LinkFields {
  readonly destination_url: string;
  readonly title: string | null;
  readonly tags: readonly string[];
  readonly utm: Utm;
  readonly expires_at: number | null;
  readonly settings: LinkSettings;
  readonly notes: string | null;
  readonly external_id: string | null;
  readonly metadata: Metadata;
}

/** By key, in the order of the keys, so that equal pairs are stored alike. */
export type Metadata = Readonly<Record<string, string>>;

export function fieldsOfNew(body: LinkCreate, serialise: SerialiseAt): LinkFields {
  return {
    destination_url: serialise("destination_url", body.destination_url),
    title: body.title ?? null,
    tags: mergeEqualTags(body.tags ?? []),
    utm: mergeUtm({}, body.utm ?? {}),
    expires_at: toMs(body.expires_at ?? null),
    settings: changeSettings({}, body, serialise),
    notes: body.notes ?? null,
    external_id: body.external_id ?? null,
    metadata: mergeMetadata({}, body.metadata ?? {}),
  };
}

/** Applies a JSON merge patch (RFC 7396): omitted fields stay, `null` clears, `utm` and `metadata` merge by key. */
export function patchFields(current: LinkFields, patch: LinkPatch, serialise: SerialiseAt): LinkFields {
  return {
    destination_url:
      patch.destination_url === undefined
        ? current.destination_url
        : serialise("destination_url", patch.destination_url),
    title: patch.title === undefined ? current.title : patch.title,
    tags: patch.tags === undefined ? current.tags : mergeEqualTags(patch.tags ?? []),
    utm: patch.utm === undefined ? current.utm : patch.utm === null ? {} : mergeUtm(current.utm, patch.utm),
    expires_at: patch.expires_at === undefined ? current.expires_at : toMs(patch.expires_at),
    settings: changeSettings(current.settings, patch, serialise),
    notes: patch.notes === undefined ? current.notes : patch.notes,
    external_id: patch.external_id === undefined ? current.external_id : patch.external_id,
    metadata: patch.metadata === null ? {} : mergeMetadata(current.metadata, patch.metadata ?? {}),
  };
}

export const isSameFields = (a: LinkFields, b: LinkFields): boolean =>
  a.destination_url === b.destination_url &&
  a.title === b.title &&
  a.expires_at === b.expires_at &&
  a.notes === b.notes &&
  a.external_id === b.external_id &&
  JSON.stringify(a.metadata) === JSON.stringify(b.metadata) &&
  JSON.stringify(a.settings) === JSON.stringify(b.settings) &&
  JSON.stringify(a.tags) === JSON.stringify(b.tags) &&
  JSON.stringify(a.utm) === JSON.stringify(b.utm);

export const isSameRules = (a: LinkFields | null, b: LinkFields): boolean =>
  JSON.stringify(a?.settings.rules) === JSON.stringify(b.settings.rules);

type SearchedFields = Pick<LinkFields, "title" | "destination_url" | "notes" | "external_id">;

export const searchTextOf = (slug: string, { title, destination_url, notes, external_id }: SearchedFields): string =>
  foldCase([slug, title ?? "", destination_url, ...[notes, external_id].filter((text) => text !== null)].join("\n"));

/** Folds stored text and queries alike, independent of the engine's case rules. */
export const foldCase = (text: string): string => text.normalize("NFC").toLowerCase();

/** Merges tags that differ only in case, keeping the first spelling and the order. */
function mergeEqualTags(tags: readonly string[]): string[] {
  const seen = new Map<string, string>();
  for (const tag of tags) {
    const key = foldCase(tag);
    if (!seen.has(key)) seen.set(key, tag);
  }
  return [...seen.values()];
}

/** Those a link has stay as they are written. */
export function changeTags(tags: readonly string[], { add = [], remove = [] }: TagChange): string[] {
  const removed = new Set(remove.map(foldCase));
  return mergeEqualTags([...tags.filter((tag) => !removed.has(foldCase(tag))), ...add]);
}

/** With another name in its place, or none. */
export function renameTag(tags: readonly string[], tag: string, name: string | null): string[] {
  const isOther = (one: string): boolean => foldCase(one) !== tag;
  if (name === null) return tags.filter(isOther);
  return mergeEqualTags(tags.map((one) => (isOther(one) ? one : name)));
}

/** Always in the same order, so equal parameters are stored and sent identically. */
function mergeUtm(current: Utm, patch: Readonly<Partial<Record<keyof Utm, string | null | undefined>>>): Utm {
  const merged: Utm = {};
  for (const key of utmKeys) {
    const value = patch[key] === undefined ? current[key] : patch[key];
    if (value != null) merged[key] = value;
  }
  return merged;
}

function mergeMetadata(current: Metadata, patch: Readonly<Record<string, string | null>>): Metadata {
  const pairs = Object.entries({ ...current, ...patch }).filter((pair): pair is [string, string] => pair[1] !== null);
  return Object.fromEntries(pairs.toSorted(([a], [b]) => (a < b ? -1 : 1)));
}

/** Whether a link may have it: a patch may be small enough where the whole isn't. */
export const isMetadataSmall = (metadata: Metadata): boolean => Object.keys(metadata).length <= METADATA_PAIRS_MAX;

const toMs = (instant: string | null): number | null => (instant === null ? null : Date.parse(instant));
