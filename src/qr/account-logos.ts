import { appendAudit } from "#audit/audit.service.ts";
import type { Records } from "#engines/records/records.ts";
import type { Sql } from "#engines/records/schema.ts";
import type { Clock } from "#kernel/clock.ts";
import type { DrawingDesk } from "./drawing-desk.ts";
import { deleteLogo, findAccountNo, findLogo, putLogo } from "./qr.store.ts";

interface Deps {
  readonly records: Records;
  readonly desk: DrawingDesk;
  readonly clock: Clock;
}

/** Whose logo it is, and who sets it: `operator` or `user:<id>`. */
export interface LogoOwner {
  readonly accountId: string;
  readonly actor: string;
}

/** The picture that each account may have in the middle of its codes. */
export function accountLogos({ records, desk, clock }: Deps) {
  const change = ({ accountId, actor }: LogoOwner, action: string, work: Work): Promise<void> =>
    records.write(async (tx) => {
      const at = clock();
      const accountNo = await getAccountNo(tx, accountId);
      await work(tx, accountNo, at);
      await appendAudit(tx, { at, accountNo, actor, action, subject: accountId });
    });

  return {
    /** Throws `BadPicture` when the file cannot be one. */
    async set(owner: LogoOwner, file: Uint8Array): Promise<void> {
      const png = await desk.redrawLogo(file);
      const hash = new Bun.CryptoHasher("sha256").update(png).digest("hex");
      await change(owner, "account.logo_set", (tx, accountNo, at) => putLogo(tx, accountNo, { png, hash }, at));
    },

    remove: (owner: LogoOwner): Promise<void> =>
      change(owner, "account.logo_removed", async (tx, accountNo) => {
        if (!(await deleteLogo(tx, accountNo))) throw new Error(`the account "${owner.accountId}" has no logo`);
      }),

    find: (accountNo: number) => findLogo(records.read, accountNo),
  };
}
export type AccountLogos = ReturnType<typeof accountLogos>;

type Work = (tx: Sql, accountNo: number, at: number) => Promise<void>;

async function getAccountNo(tx: Sql, accountId: string): Promise<number> {
  const accountNo = await findAccountNo(tx, accountId);
  if (accountNo === undefined) throw new Error(`there is no account "${accountId}"`);
  return accountNo;
}
