import type { Link } from "#contract/link-record.ts";
import type { Records } from "#engines/records/records.ts";
import type { Caller } from "#kernel/caller.ts";
import type { PlanCatalogue } from "#plans/plan-catalogue.ts";
import type { LinkService } from "./links.service.ts";
import { getNamedLink } from "./named-link.ts";
import { findAccountByNo } from "./operator-links.store.ts";

interface Deps {
  readonly records: Records;
  readonly plans: PlanCatalogue;
  readonly links: LinkService;
  /** Those that serve the links of the instance's own domain, maybe with a port. */
  readonly ownHosts: readonly string[];
}

/** Lets the operator act for the account that a link belongs to. Links are named as `getNamedLink` says. */
export function operatorLinks({ records, plans, links, ownHosts }: Deps) {
  const find = async (text: string): Promise<{ readonly id: string; readonly caller: Caller }> => {
    // As a transaction: between two reads, the link may move to the trash or out of it.
    const { id, account_no } = await records.write((tx) => getNamedLink(tx, text, ownHosts));
    const account = await findAccountByNo(records.read, account_no);
    if (!account) throw new Error(`the account of the link "${text}" is being removed`);
    const { id: accountId, plan_id } = account;
    const caller: Caller = {
      accountNo: account_no,
      accountId,
      plan: plans.of(plan_id),
      actor: "operator",
      via: "dashboard",
    };
    return { id, caller };
  };

  return {
    async restore(text: string): Promise<Link> {
      const { id, caller } = await find(text);
      return links.restore(caller, id, null);
    },

    /** For good, at once; returns the link as it was. */
    async erase(text: string): Promise<Link> {
      const { id, caller } = await find(text);
      const link = await links.get(caller, id);
      await links.delete(caller, id, null, { permanent: true });
      return link;
    },
  };
}
