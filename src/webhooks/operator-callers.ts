import type { Records } from "#engines/records/records.ts";
import type { Caller } from "#kernel/caller.ts";
import type { PlanCatalogue } from "#plans/plan-catalogue.ts";
import {
  findAccount,
  findAccountOfDelivery,
  findAccountOfEndpoint,
  listAccountsWithEndpoints,
  type OwnerRow,
} from "./owners.store.ts";

/** Lets the operator act for the account an id belongs to. */
export function operatorCallers(records: Records, plans: PlanCatalogue) {
  const toCaller = ({ no, id, plan_id }: OwnerRow): Caller => ({
    accountNo: no,
    accountId: id,
    plan: plans.of(plan_id),
    actor: "operator",
    via: "dashboard",
  });

  const assertFound = (account: OwnerRow | undefined, what: string): OwnerRow => {
    if (!account) throw new Error(`there is no ${what}`);
    return account;
  };

  return {
    forAccount: async (id: string): Promise<Caller> =>
      toCaller(assertFound(await findAccount(records.read, id), `account "${id}"`)),

    forEndpoint: async (id: string): Promise<Caller> => {
      const account = await findAccountOfEndpoint(records.read, id);
      return toCaller(assertFound(account, `webhook endpoint "${id}"; list them with: webhooks list`));
    },

    forDelivery: async (id: string): Promise<Caller> => {
      const account = await findAccountOfDelivery(records.read, id);
      return toCaller(assertFound(account, `delivery "${id}"; list them with: webhooks deliveries`));
    },

    /** Every account that has an endpoint. */
    withEndpoints: async (): Promise<Caller[]> => (await listAccountsWithEndpoints(records.read)).map(toCaller),
  };
}
