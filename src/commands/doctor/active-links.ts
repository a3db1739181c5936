import { appendAudit } from "#audit/audit.service.ts";
import type { Services } from "#runtime/services.ts";
import { type Check, ok, problem } from "./check.ts";
import { listWrongCounts, setActiveLinks, type WrongCount } from "./doctor.store.ts";

const LISTED_MAX = 5;

/** Plan limits rely on a counter, which must equal what it counts. */
export const activeLinks: Check = {
  name: "active links",
  needsRecords: true,
  async run({ services }, { repair }) {
    const wrong = await listWrongCounts((await services()).records.scan);
    if (wrong.length === 0) return [ok("every account's count is correct")];
    if (repair) return [ok(`repaired: ${describe(await repairCounts(await services(), wrong))}`)];
    return [problem(`wrong counts: ${describe(wrong)}; run kurz doctor --repair`)];
  },
};

/** Counts again inside the transaction: links may have changed since the check. */
function repairCounts({ records, clock }: Services, found: readonly WrongCount[]): Promise<WrongCount[]> {
  return records.write(async (tx) => {
    const wrong = await listWrongCounts(
      tx,
      found.map(({ no }) => no),
    );
    for (const { no, id, counted, actual } of wrong) {
      await setActiveLinks(tx, no, actual);
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
  const listed = wrong.slice(0, LISTED_MAX).map(({ id, counted, actual }) => `${id} counted ${counted}, has ${actual}`);
  const rest = wrong.length - listed.length;
  return listed.join("; ") + (rest > 0 ? `; and ${rest} more accounts` : "");
}
