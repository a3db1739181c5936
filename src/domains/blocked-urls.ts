import { type Domain, type DomainUrlField, domainUrlFields } from "#contract/domain-record.ts";
import type { BlockReason } from "#contract/errors.ts";
import type { DomainFields } from "./domain-fields.ts";
import type { DomainRow } from "./domains.store.ts";

type Reasons = Readonly<Partial<Record<DomainUrlField, BlockReason>>>;

const reasonsOf = ({ blocked_urls }: Pick<DomainRow, "blocked_urls">): Reasons =>
  JSON.parse(blocked_urls ?? "{}") as Reasons;

export const blockedUrlsOf = (row: Pick<DomainRow, "blocked_urls">): Domain["blocked_urls"] => {
  const reasons = reasonsOf(row);
  return domainUrlFields.flatMap((field) => {
    const reason = reasons[field];
    return reason === undefined ? [] : [{ field, reason }];
  });
};

/** As stored. */
export function findBlocked(
  urls: Pick<DomainFields, DomainUrlField>,
  reasonOf: (url: string, field: DomainUrlField) => BlockReason | null,
): string | null {
  const found = domainUrlFields.flatMap((field) => {
    const url = urls[field];
    const reason = url === null ? null : reasonOf(url, field);
    return reason === null ? [] : [[field, reason]];
  });
  return found.length === 0 ? null : JSON.stringify(Object.fromEntries(found));
}

/** After a change of addresses: new ones were checked, the others are as they were. */
export const stillBlocked = (before: DomainRow, after: DomainFields): string | null =>
  findBlocked(after, (url, field) => (url === before[field] ? (reasonsOf(before)[field] ?? null) : null));
