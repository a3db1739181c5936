import type { LinkDomain } from "#domains/link-domains.ts";
import type { Sql } from "#engines/records/schema.ts";
import { ApiError } from "#kernel/api-error.ts";
import type { Caller } from "#kernel/caller.ts";
import { newId } from "#kernel/ids.ts";
import { linkKey } from "#kernel/link-key.ts";
import { assertExternalIdFree } from "./external-id.ts";
import { arrivedColumns, type ImportedState } from "./imported-link.ts";
import { columnsOf } from "./link-columns.ts";
import type { LinkFields } from "./link-fields.ts";
import type { LinkRow } from "./link-record.ts";
import { insertLink } from "./links.store.ts";
import { newSlug } from "./slug.ts";

const SLUG_ATTEMPTS_MAX = 5;
const SLUG_LENGTH = 8;

interface NewLink {
  /** In lower case; `null` for a random one. */
  readonly slug: string | null;
  readonly domain: LinkDomain;
  /** As errors show it. */
  readonly domainName: string;
  readonly fields: LinkFields;
  readonly passwordHash: string | null;
  readonly now: number;
  /** What an import knows beside that. */
  readonly arrival?: ImportedState | undefined;
}

export async function insertWithSlug(
  tx: Sql,
  caller: Caller,
  { slug, domain, domainName, fields, passwordHash, now, arrival }: NewLink,
): Promise<LinkRow> {
  const base = {
    id: newId("lnk"),
    account_no: caller.accountNo,
    domain_no: domain.no,
    domain_name: domain.name,
    password_hash: passwordHash,
    state: "active" as const,
    state_before_archive: null,
    paused_at: null,
    archived_at: null,
    created_via: caller.via,
    created_by: caller.actor,
    version: 1,
    created_at: now,
    updated_at: now,
    ...(arrival && (await arrivedColumns(tx, arrival, fields, now))),
  };
  for (let attempt = 0; attempt <= SLUG_ATTEMPTS_MAX; attempt += 1) {
    // After that many collisions the short slugs are running out, so one more character.
    const candidate = slug ?? newSlug(attempt < SLUG_ATTEMPTS_MAX ? SLUG_LENGTH : SLUG_LENGTH + 1);
    const row = await insertLink(tx, {
      ...base,
      key: linkKey(domain.no, candidate),
      ...columnsOf(fields, candidate),
    });
    if (row) return row;
    await assertExternalIdFree(tx, caller.accountNo, fields.external_id);
    if (slug !== null) {
      const message = `The slug "${slug}" is already taken on ${domainName}, or was used there by a deleted link.`;
      throw new ApiError("slug_taken", message, { slug });
    }
  }
  throw new Error(`no free slug in ${SLUG_ATTEMPTS_MAX + 1} attempts`);
}
