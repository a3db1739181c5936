import type { Outcomes } from "#contract/console/imports.ts";
import { TITLE_LENGTH_MAX } from "#contract/limits.ts";
import { TAGS_MAX } from "#contract/link-record.ts";
import { isTagName, TAG_LENGTH_MAX } from "#contract/tag-name.ts";
import { ApiError } from "#kernel/api-error.ts";
import { slugProblem } from "#links/check-slug.ts";
import type { ImportOptions } from "./import-options.ts";
import type { ImportedLink } from "./import-source.ts";

/** What became of a link, or would. */
export type Outcome =
  /** The slug as it is stored; `null` for a random one. */
  | { readonly kind: "created"; readonly slug: string | null; readonly isRenamed: boolean }
  | { readonly kind: "imported_before" }
  | { readonly kind: "conflict" | "refused"; readonly code: string; readonly message: string };

/** Where links are created, or where it is foreseen. */
export interface Place {
  hasImported(sourceId: string): boolean;
  /** The domain that the links of a host go to: `undefined` for the account's default. */
  domainOf(host: string): Promise<string | undefined>;
  /** Throws `ApiError` if that can't be. */
  create(link: ImportedLink, body: Readonly<Record<string, unknown>>): Promise<void>;
}

const SUFFIX_MAX = 20;
const SLUG_CHARACTERS_MAX = 64;
const NOTES_CHARACTERS_MAX = 2000;

/**
 * Decides what becomes of a link; the same for a check and a run, so that one foretells the other. Throws the `ApiError`
 * of a link that is refused, because what was begun must be undone then.
 */
export async function placeLink(place: Place, link: ImportedLink, options: ImportOptions): Promise<Outcome> {
  if (place.hasImported(link.sourceId)) return { kind: "imported_before" };
  const { onConflict } = options;
  const problem = link.slug === "" ? null : slugProblem(link.slug);
  if (problem !== null && onConflict !== "suffix") {
    return {
      kind: "conflict",
      code: "invalid_slug",
      message: `The slug "${shorten(link.slug)}" can't be kept. ${problem}`,
    };
  }
  const body = { ...fit(link, options).fields, domain: await place.domainOf(link.host) };
  let conflict: Outcome | undefined;
  for (const slug of slugsFor(link.slug, onConflict === "suffix")) {
    try {
      await place.create(link, { ...body, slug: slug ?? undefined });
      const stored = slug?.toLowerCase() ?? null;
      return { kind: "created", slug: stored, isRenamed: link.slug !== "" && stored !== link.slug.toLowerCase() };
    } catch (error) {
      if (!(error instanceof ApiError) || error.code !== "slug_taken") throw error;
      conflict ??= { kind: "conflict", code: error.code, message: error.message };
    }
  }
  return (
    conflict ?? { kind: "conflict", code: "invalid_slug", message: `The slug "${shorten(link.slug)}" can't be kept.` }
  );
}

export const refusalOf = ({ code, message, details }: ApiError): Outcome => ({
  kind: "refused",
  code,
  message: [message, ...fieldMessages(details)].join(" "),
});

/** What is wrong with each field. */
function fieldMessages(details: unknown): string[] {
  const { fields = [] } = (details ?? {}) as { readonly fields?: readonly { field: string; message: string }[] };
  return fields.map(({ field, message }) => `${field}: ${message}`);
}

/** The slugs to try, in this order; `null` for a random one. */
function* slugsFor(wanted: string, hasSuffixes: boolean): Generator<string | null> {
  if (wanted === "") return yield null;
  const isAllowed = slugProblem(wanted) === null;
  if (isAllowed) yield wanted;
  if (!hasSuffixes) return;
  const base = wanted
    .normalize("NFKD")
    .replaceAll(/[^A-Za-z0-9_-]+/g, "-")
    .replaceAll(/^[-_]+|[-_]+$/g, "")
    .slice(0, SLUG_CHARACTERS_MAX - 3)
    .replaceAll(/[-_]+$/g, "");
  if (base === "") return yield null;
  if (!isAllowed && slugProblem(base) === null) yield base;
  for (let suffix = 2; suffix <= SUFFIX_MAX; suffix += 1) yield `${base}-${suffix}`;
}

/** Shortens what is too long for a link: better than losing it. Everything else is checked as in a request. */
export function fit(link: ImportedLink, { tag }: Pick<ImportOptions, "tag">): Pick<ImportedLink, "fields" | "losses"> {
  const { title, tags, notes } = link.fields;
  const losses = [...link.losses];
  const cut = (text: string, most: number, what: string): string => {
    const characters = Array.from(text);
    if (characters.length <= most) return text;
    losses.push(`${what} longer than ${most} characters is shortened`);
    return characters.slice(0, most).join("").trim();
  };
  const names = (tags ?? []).map((name) => cut(printable(name), TAG_LENGTH_MAX, "A tag")).filter((name) => name !== "");
  const kept = names.filter(isTagName);
  if (kept.length < names.length) losses.push('A tag can\'t be named "." or ".."');
  const all = tag === null ? kept : [tag, ...kept];
  if (all.length > TAGS_MAX) losses.push(`Only ${TAGS_MAX} tags are kept`);
  if (link.hadPassword) losses.push("A password can't be carried over: the link is paused until you set a new one");
  const fields = {
    ...link.fields,
    ...(title != null && { title: cut(printable(title), TITLE_LENGTH_MAX, "A title") || null }),
    ...(notes != null && { notes: cut(notes.replaceAll("\0", "").trim(), NOTES_CHARACTERS_MAX, "A note") || null }),
    tags: all.slice(0, TAGS_MAX),
  };
  return { fields, losses };
}

/** What a link loses, each once. */
export const lossesOf = (link: ImportedLink, options: Pick<ImportOptions, "tag">): string[] => [
  ...new Set(fit(link, options).losses),
];

// biome-ignore lint/suspicious/noControlCharactersInRegex: matching control characters is the point
const printable = (text: string): string => text.replaceAll(/[\u0000-\u001f\u007f-\u009f]+/g, " ").trim();

export const stateOf = ({ hadPassword, state }: ImportedLink): ImportedLink["state"] =>
  hadPassword && state === "active" ? "paused" : state;

const shorten = (text: string): string => (text.length > 60 ? `${text.slice(0, 60)}…` : text);

/** One more of its kind. */
export function addOutcome<T extends Outcomes>(outcomes: T, outcome: Outcome): T {
  if (outcome.kind === "created") {
    return { ...outcomes, created: outcomes.created + 1, renamed: outcomes.renamed + (outcome.isRenamed ? 1 : 0) };
  }
  if (outcome.kind === "imported_before") return { ...outcomes, imported_before: outcomes.imported_before + 1 };
  if (outcome.kind === "conflict") return { ...outcomes, conflicts: outcomes.conflicts + 1 };
  return { ...outcomes, refused: outcomes.refused + 1 };
}
