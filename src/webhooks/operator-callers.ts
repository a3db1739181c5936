import type { Records } from "#engines/records/records.ts";
import type { Caller } from "#kernel/caller.ts";
import type { PlanCatalogue } from "#plans/plan-catalogue.ts";

/** Lets the operator act for whichever account an id belongs to. */
export function operatorCallers(records: Records, plans: PlanCatalogue) {
  const accounts = records.read.selectFrom("accounts as a").select(["a.no", "a.id", "a.plan_id"]);

  const toCaller = (account: { no: number; id: string; plan_id: string } | undefined, what: string): Caller => {
    if (!account) throw new Error(`there is no ${what}`);
    const { no, id, plan_id } = account;
    return { accountNo: no, accountId: id, plan: plans.of(plan_id), actor: "operator", via: "dashboard" };
  };

  return {
    forAccount: async (id: string): Promise<Caller> =>
      toCaller(await accounts.where("a.id", "=", id).executeTakeFirst(), `account "${id}"`),

    forEndpoint: async (id: string): Promise<Caller> =>
      toCaller(
        await accounts
          .innerJoin("webhook_endpoints as e", "e.account_no", "a.no")
          .where("e.id", "=", id)
          .executeTakeFirst(),
        `webhook endpoint "${id}"; webhooks list shows them`,
      ),

    forDelivery: async (id: string): Promise<Caller> =>
      toCaller(
        await accounts
          .innerJoin("webhook_endpoints as e", "e.account_no", "a.no")
          .innerJoin("webhook_deliveries as d", "d.endpoint_no", "e.no")
          .where("d.id", "=", id)
          .executeTakeFirst(),
        `delivery "${id}"; webhooks deliveries shows them`,
      ),

    /** Every account that has an endpoint. */
    withEndpoints: async (): Promise<Caller[]> =>
      (await accounts.where("a.webhook_endpoints", ">", 0).orderBy("a.no").execute()).map((row) => toCaller(row, "")),
  };
}
