import { appendAudit } from "#audit/audit.service.ts";
import type { Sql } from "#engines/records/schema.ts";
import type { Services } from "#runtime/services.ts";
import { type Check, ok, problem } from "./check.ts";

const LISTED_MAX = 5;

interface WrongCount {
  readonly no: number;
  readonly id: string;
  readonly counted: number;
  readonly actual: number;
}

/** The plan limit leans on a counter, which must equal what it counts. */
export const activeLinks: Check = {
  name: "active links",
  needsRecords: true,
  async run({ services }, { repair }) {
    const wrong = await findWrongCounts(services().records.scan);
    if (wrong.length === 0) return [ok("every account's count is right")];
    if (repair) return [ok(`set right: ${describe(await repairCounts(services(), wrong))}`)];
    return [problem(`wrong counts: ${describe(wrong)}; run kurz doctor --repair`)];
  },
};

/** One statement, so that counter and links are seen at the same moment. */
async function findWrongCounts(sql: Sql, accountNos: readonly number[] | null = null): Promise<WrongCount[]> {
  return sql
    .with("checked", (db) =>
      db
        .selectFrom("accounts")
        .select(["no", "id", "active_links as counted"])
        .select((eb) =>
          eb
            .selectFrom("links")
            .select((inner) => inner.fn.countAll<number>().as("count"))
            .whereRef("links.account_no", "=", "accounts.no")
            .where("links.state", "=", "active")
            .as("actual"),
        )
        .$if(accountNos !== null, (query) => query.where("no", "in", accountNos ?? [])),
    )
    .selectFrom("checked")
    .selectAll()
    .whereRef("counted", "!=", "actual")
    .orderBy("no")
    .$castTo<WrongCount>()
    .execute();
}

/** Counts again inside the transaction: links may have changed since they were looked at. */
function repairCounts({ records, clock }: Services, found: readonly WrongCount[]): Promise<WrongCount[]> {
  return records.write(async (tx) => {
    const wrong = await findWrongCounts(
      tx,
      found.map(({ no }) => no),
    );
    for (const { no, id, counted, actual } of wrong) {
      await tx.updateTable("accounts").set({ active_links: actual }).where("no", "=", no).execute();
      await appendAudit(tx, {
        at: clock(),
        accountNo: no,
        actor: "operator",
        action: "account.active_links_repaired",
        subject: id,
        details: { from: counted, to: actual },
      });
    }
    return wrong;
  });
}

function describe(wrong: readonly WrongCount[]): string {
  const listed = wrong.slice(0, LISTED_MAX).map(({ id, counted, actual }) => `${id} counts ${counted}, has ${actual}`);
  const rest = wrong.length - listed.length;
  return listed.join("; ") + (rest > 0 ? `; and ${rest} more accounts` : "");
}
