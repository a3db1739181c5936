import { type DomainCreate, type DomainPatch, domainUrlFields as urlFields } from "#contract/domain-record.ts";
import type { BlockReason, FieldError } from "#contract/errors.ts";
import { ApiError, bodyProblem, validationFailed } from "#kernel/api-error.ts";
import type { DestinationCheck } from "#shared/destination-rules.ts";
import type { DomainRow } from "./domains.store.ts";
import type { NamedUrl } from "./self-reference.ts";

export interface UrlRules {
  readonly check: (url: string) => DestinationCheck;
  readonly blockReasonOf: (url: string) => BlockReason | null;
}

const documents = ["apple_app_site_association", "assetlinks"] as const;

export type DomainFields = Pick<DomainRow, (typeof urlFields)[number] | (typeof documents)[number]>;

export const noFields: DomainFields = {
  root_redirect_url: null,
  not_found_redirect_url: null,
  expired_redirect_url: null,
  apple_app_site_association: null,
  assetlinks: null,
};

/** Omitted fields stay as they were; throws with all problems, by field. */
export function patchFields(
  before: DomainFields,
  patch: Omit<DomainPatch, "is_default"> | Omit<DomainCreate, "name">,
  rules: UrlRules,
): DomainFields {
  const problems: FieldError[] = [];
  const fields = { ...pick(before) };
  for (const field of urlFields) {
    const url = patch[field];
    if (url === undefined) continue;
    const checked = url === null ? null : rules.check(url);
    if (checked === null) fields[field] = null;
    else if (checked.ok) fields[field] = checked.url;
    else problems.push(bodyProblem(field, checked.code, checked.message));
  }
  for (const document of documents) {
    const value = patch.app_links === null ? null : patch.app_links?.[document];
    if (value !== undefined) fields[document] = value === null ? null : JSON.stringify(value);
  }
  if (problems.length > 0) throw validationFailed(problems);
  for (const { field, url } of newUrlsOf(before, fields)) {
    const reason = rules.blockReasonOf(url);
    if (reason === null) continue;
    const message = "The operator of this instance blocks this destination.";
    throw new ApiError("destination_blocked", message, { reason, field });
  }
  return fields;
}

export const isSame = (before: DomainFields, after: DomainFields): boolean =>
  JSON.stringify(pick(before)) === JSON.stringify(pick(after));

/** The names of the fields that differ. */
export const changedOf = (before: DomainFields, after: DomainFields): string[] =>
  [...urlFields, ...documents].filter((field) => before[field] !== after[field]);

export const newUrlsOf = (before: DomainFields, after: DomainFields): readonly NamedUrl[] =>
  urlFields.flatMap((field) => {
    const url = after[field];
    return url === null || url === before[field] ? [] : [{ field, url }];
  });

const pick = (fields: DomainFields): DomainFields =>
  Object.fromEntries([...urlFields, ...documents].map((field) => [field, fields[field]])) as unknown as DomainFields;
