import { linksAndTrash } from "#engines/records/links-and-trash.ts";
import type { Sql } from "#engines/records/schema.ts";
import { statement } from "#engines/records/statement.ts";

const selectLink = statement((sql, { accountNo, id }: { accountNo: number; id: string }) =>
  linksAndTrash((table) =>
    sql.selectFrom(table).select(["no", "created_at"]).where("id", "=", id).where("account_no", "=", accountNo),
  ),
);

const selectAccount = statement((sql, { accountNo }: { accountNo: number }) =>
  sql.selectFrom("accounts").select("created_at").where("no", "=", accountNo),
);

export interface LinkEntry {
  readonly no: number;
  readonly created_at: number;
}

export async function findLinkEntry(sql: Sql, accountNo: number, id: string): Promise<LinkEntry | undefined> {
  const [found] = await selectLink(sql, { accountNo, id });
  return found;
}

export async function getAccountCreatedMs(sql: Sql, accountNo: number): Promise<number> {
  const [found] = await selectAccount(sql, { accountNo });
  if (!found) throw new Error(`there is no account ${accountNo}`);
  return Date.parse(found.created_at);
}

/** Skips ids that are unknown or belong to another account. */
export async function findLinkNumbers(sql: Sql, accountNo: number, ids: readonly string[]): Promise<number[]> {
  if (ids.length === 0) return [];
  const rows = await linksAndTrash((table) =>
    sql.selectFrom(table).select("no").where("account_no", "=", accountNo).where("id", "in", ids),
  ).execute();
  return rows.map(({ no }) => no);
}

const NUMBERS_AT_ONCE = 500;

/** The same for any number of them. */
export async function findManyLinkIds(
  sql: Sql,
  accountNo: number,
  numbers: readonly number[],
): Promise<ReadonlyMap<number, string>> {
  const ids = new Map<number, string>();
  for (let start = 0; start < numbers.length; start += NUMBERS_AT_ONCE) {
    const some = await findLinkIds(sql, accountNo, numbers.slice(start, start + NUMBERS_AT_ONCE));
    for (const [no, id] of some) ids.set(no, id);
  }
  return ids;
}

const selectClickedLinks = (sql: Sql, accountNo: number, numbers: readonly number[]) =>
  linksAndTrash((table) =>
    sql
      .selectFrom(table)
      .select(["no", "id", "key", "domain_name"])
      .where("account_no", "=", accountNo)
      .where("no", "in", numbers),
  ).execute();

/** With what is needed for their addresses; skips links that are gone. */
export async function findClickedLinks(sql: Sql, accountNo: number, numbers: readonly number[]) {
  const found: Awaited<ReturnType<typeof selectClickedLinks>> = [];
  for (let start = 0; start < numbers.length; start += NUMBERS_AT_ONCE) {
    found.push(...(await selectClickedLinks(sql, accountNo, numbers.slice(start, start + NUMBERS_AT_ONCE))));
  }
  return found;
}

export async function findLinkIds(
  sql: Sql,
  accountNo: number,
  numbers: readonly number[],
): Promise<ReadonlyMap<number, string>> {
  if (numbers.length === 0) return new Map();
  const rows = await linksAndTrash((table) =>
    sql.selectFrom(table).select(["no", "id"]).where("account_no", "=", accountNo).where("no", "in", numbers),
  ).execute();
  return new Map(rows.map(({ no, id }) => [no, id]));
}
