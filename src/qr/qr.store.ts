import type { Selectable } from "kysely";
import type { AccountLogosTable, Sql } from "#engines/records/schema.ts";

export type AccountLogo = Pick<Selectable<AccountLogosTable>, "png" | "hash">;

export const findLogo = (sql: Sql, accountNo: number): Promise<AccountLogo | undefined> =>
  sql.selectFrom("account_logos").select(["png", "hash"]).where("account_no", "=", accountNo).executeTakeFirst();

export async function putLogo(tx: Sql, accountNo: number, { png, hash }: AccountLogo, at: number): Promise<void> {
  const row = { png, hash, updated_at: at };
  await tx
    .insertInto("account_logos")
    .values({ account_no: accountNo, ...row })
    .onConflict((on) => on.column("account_no").doUpdateSet(row))
    .execute();
}

/** Returns whether it is another one than before. */
export async function putDesign(tx: Sql, accountNo: number, design: string): Promise<boolean> {
  const changed = await tx
    .updateTable("accounts")
    .set({ qr_design: design })
    .where("no", "=", accountNo)
    .where((eb) => eb.or([eb("qr_design", "is", null), eb("qr_design", "!=", design)]))
    .returning("no")
    .executeTakeFirst();
  return changed !== undefined;
}

/** Returns whether there was one. */
export async function deleteLogo(tx: Sql, accountNo: number): Promise<boolean> {
  const deleted = await tx
    .deleteFrom("account_logos")
    .where("account_no", "=", accountNo)
    .returning("account_no")
    .executeTakeFirst();
  return deleted !== undefined;
}
