import { appendAudit } from "#audit/audit.service.ts";
import type { BlockReason } from "#contract/errors.ts";
import { appendChange } from "#engines/records/changes.ts";
import type { Records } from "#engines/records/records.ts";
import type { Clock } from "#kernel/clock.ts";
import { HOSTS_KEY } from "#kernel/link-key.ts";
import { findBlocked } from "./blocked-urls.ts";
import { findDomainByNo, listAddresses, updateDomain } from "./domains.store.ts";

interface Deps {
  readonly records: Records;
  readonly clock: Clock;
}

type ReasonOf = (url: string) => BlockReason | null;

const BATCH = 500;

/** The operator's block list, for the addresses that domains lead visitors to. */
export function domainBlocking({ records, clock }: Deps) {
  /** Decides on the row as read inside the transaction: its owner may have changed it since the scan. */
  const apply = (no: number, reasonOf: ReasonOf): Promise<boolean> =>
    records.write(async (tx) => {
      const row = await findDomainByNo(tx, no);
      const blocked = row === undefined ? null : findBlocked(row, reasonOf);
      if (row === undefined || row.blocked_urls === blocked) return false;
      const at = clock();
      await updateDomain(tx, row, { blocked_urls: blocked, version: row.version + 1, updated_at: at });
      await appendAudit(tx, {
        at,
        accountNo: row.account_no,
        actor: "blocklist",
        action: blocked === null ? "domain.unblocked" : "domain.blocked",
        subject: row.id,
        ...(blocked !== null && { details: JSON.parse(blocked) as Record<string, unknown> }),
      });
      if (row.status === "verified") await appendChange(tx, HOSTS_KEY, at);
      return true;
    });

  return {
    /** Checks the addresses of every domain; returns how many domains changed. */
    async applyBlocklist(reasonOf: ReasonOf): Promise<number> {
      // One that was checked against the list before this one may not be committed yet.
      await records.finishWrites();
      let changed = 0;
      for (let after = 0; ; ) {
        const rows = await listAddresses(records.read, after, BATCH);
        const last = rows.at(-1);
        if (!last) return changed;
        after = last.no;
        for (const row of rows) {
          if (row.blocked_urls !== findBlocked(row, reasonOf) && (await apply(row.no, reasonOf))) changed += 1;
        }
      }
    },
  };
}
