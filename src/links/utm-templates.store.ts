import type { Selectable } from "kysely";
import type { Sql, UtmTemplatesTable } from "#engines/records/schema.ts";

type Row = Selectable<UtmTemplatesTable>;

export const listTemplates = (sql: Sql, accountNo: number): Promise<Pick<Row, "id" | "name" | "utm">[]> =>
  sql
    .selectFrom("utm_templates")
    .select(["id", "name", "utm"])
    .where("account_no", "=", accountNo)
    .orderBy("name")
    .execute();

export async function countOtherTemplates(tx: Sql, accountNo: number, name: string): Promise<number> {
  const { others } = await tx
    .selectFrom("utm_templates")
    .select((eb) => eb.fn.countAll<number | string>().as("others"))
    .where("account_no", "=", accountNo)
    .where("name", "!=", name)
    .executeTakeFirstOrThrow();
  return Number(others);
}

/** Returns its id, which stays the same when it is replaced. */
export async function putTemplate(tx: Sql, row: Row): Promise<string> {
  const { id } = await tx
    .insertInto("utm_templates")
    .values(row)
    .onConflict((on) => on.columns(["account_no", "name"]).doUpdateSet({ utm: row.utm }))
    .returning("id")
    .executeTakeFirstOrThrow();
  return id;
}

/** Returns its name, or `null` if there is none. */
export async function deleteTemplate(tx: Sql, accountNo: number, id: string): Promise<string | null> {
  const deleted = await tx
    .deleteFrom("utm_templates")
    .where("account_no", "=", accountNo)
    .where("id", "=", id)
    .returning("name")
    .executeTakeFirst();
  return deleted?.name ?? null;
}
