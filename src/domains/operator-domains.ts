import type { Domain } from "#contract/domain-record.ts";
import type { Records } from "#engines/records/records.ts";
import type { Caller } from "#kernel/caller.ts";
import type { PlanCatalogue } from "#plans/plan-catalogue.ts";
import { toDomain } from "./domain-record.ts";
import type { AddedDomain, DomainService } from "./domains.service.ts";
import {
  findAccountById,
  findAccountOfDomain,
  listDomainsWithAccount,
  type OwnerRow,
} from "./operator-domains.store.ts";

interface Deps {
  readonly records: Records;
  readonly plans: PlanCatalogue;
  readonly domains: DomainService;
}

/** Lets the operator act for the account that an id belongs to. */
export function operatorDomains({ records, plans, domains }: Deps) {
  const toCaller = (account: OwnerRow | undefined, what: string): Caller => {
    if (!account) throw new Error(`there is no ${what}`);
    const { no, id, plan_id } = account;
    return { accountNo: no, accountId: id, plan: plans.of(plan_id), actor: "operator", via: "dashboard" };
  };
  const forAccount = async (id: string): Promise<Caller> =>
    toCaller(await findAccountById(records.read, id), `account "${id}"`);
  const forDomain = async (id: string): Promise<Caller> =>
    toCaller(await findAccountOfDomain(records.read, id), `domain "${id}"; list them with: domains list`);

  return {
    async list(accountId: string | null): Promise<(Domain & { readonly account_id: string })[]> {
      const accountNo = accountId === null ? null : (await forAccount(accountId)).accountNo;
      const rows = await listDomainsWithAccount(records.read, accountNo);
      return rows.map(({ account_id, ...row }) => ({ ...toDomain(row), account_id }));
    },

    add: async (
      accountId: string,
      name: string,
      options: { readonly isVerified: boolean; readonly takesOver: boolean },
    ): Promise<AddedDomain> => domains.add(await forAccount(accountId), name, options),

    verify: async (id: string): Promise<Domain> => domains.verify(await forDomain(id), id, null),

    async remove(id: string): Promise<Domain> {
      const caller = await forDomain(id);
      const domain = await domains.get(caller, id);
      await domains.delete(caller, id, null);
      return domain;
    },
  };
}
