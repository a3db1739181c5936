import type { Sql } from "#engines/records/schema.ts";
import { ApiError, bodyProblem, validationFailed } from "#kernel/api-error.ts";
import type { LinkFields } from "./link-fields.ts";
import type { LinkRow } from "./link-record.ts";
import { findIdOfExternalId } from "./links.store.ts";

/** Other systems know the link by it, so it can be set once, and no two links of an account have the same. */
export async function assertExternalId(tx: Sql, row: LinkRow, { external_id }: LinkFields): Promise<void> {
  if (row.external_id === external_id) return;
  if (row.external_id !== null) {
    throw validationFailed([bodyProblem("external_id", "read_only_field", "Can't be changed once it is set.")]);
  }
  await assertExternalIdFree(tx, row.account_no, external_id);
}

export async function assertExternalIdFree(tx: Sql, accountNo: number, externalId: string | null): Promise<void> {
  const id = externalId === null ? undefined : await findIdOfExternalId(tx, accountNo, externalId);
  if (externalId === null || id === undefined) return;
  throw new ApiError("external_id_taken", `The link ${id} has the external_id "${externalId}" already.`, {
    external_id: externalId,
    link_id: id,
  });
}
