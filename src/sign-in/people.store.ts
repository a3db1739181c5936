import type { Sql } from "#engines/records/schema.ts";

/** Everyone who can sign in, with where they belong to. */
export const listPeople = (sql: Sql) =>
  sql
    .selectFrom("users")
    .leftJoin("members", "members.user_id", "users.id")
    .leftJoin("accounts", "accounts.id", "members.account_id")
    .select(["users.id", "users.email", "users.name", "users.two_factor_enabled", "users.created_at"])
    .select(["members.role", "accounts.id as account_id", "accounts.name as account_name"])
    .orderBy("users.created_at")
    .orderBy("users.id")
    .orderBy("members.created_at")
    .execute();

export const findPerson = (sql: Sql, userId: string) =>
  sql.selectFrom("users").select(["id", "email", "name"]).where("id", "=", userId).executeTakeFirst();

/** The accounts that would have no owner without this person. */
export const listOwnedAlone = (sql: Sql, userId: string) =>
  sql
    .selectFrom("members as mine")
    .innerJoin("accounts", "accounts.id", "mine.account_id")
    .select(["accounts.id", "accounts.name"])
    .where("mine.user_id", "=", userId)
    .where("mine.role", "=", "owner")
    .where(({ not, exists, selectFrom }) =>
      not(
        exists(
          selectFrom("members as other")
            .select("other.id")
            .whereRef("other.account_id", "=", "mine.account_id")
            .where("other.role", "=", "owner")
            .where("other.user_id", "!=", userId),
        ),
      ),
    )
    .orderBy("accounts.name")
    .execute();

export const listAccountsOf = (sql: Sql, userId: string) =>
  sql
    .selectFrom("members")
    .innerJoin("accounts", "accounts.id", "members.account_id")
    .select(["accounts.no", "members.role"])
    .where("members.user_id", "=", userId)
    .execute();

/** Entries of the audit log that hold someone's address or name. The log may be long, so this is for `scan`. */
export async function findTraces(sql: Sql, userId: string, email: string): Promise<readonly number[]> {
  const rows = await sql
    .selectFrom("audit_log")
    .select("no")
    .where((eb) =>
      eb.or([
        eb("subject", "=", email),
        eb(eb.fn<number>("instr", ["details", eb.val(JSON.stringify(email).slice(1, -1))]), ">", 0),
        eb.and([eb("subject", "=", userId), eb("action", "=", "user.renamed")]),
      ]),
    )
    .execute();
  return rows.map(({ no }) => no);
}

/** The entries stay, about the id of somebody who is unknown. */
export async function removeTraces(
  tx: Sql,
  entries: readonly number[],
  { userId, email }: { userId: string; email: string },
): Promise<void> {
  for (let first = 0; first < entries.length; first += TRACES_AT_ONCE) {
    const some = entries.slice(first, first + TRACES_AT_ONCE);
    await tx.updateTable("audit_log").set({ details: "{}" }).where("no", "in", some).execute();
    await tx
      .updateTable("audit_log")
      .set({ subject: userId })
      .where("no", "in", some)
      .where("subject", "=", email)
      .execute();
  }
}

const TRACES_AT_ONCE = 500;
