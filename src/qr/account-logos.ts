import { accountNumberOf } from "#accounts/get-account.ts";
import { appendAudit } from "#audit/audit.service.ts";
import type { Records } from "#engines/records/records.ts";
import type { Sql } from "#engines/records/schema.ts";
import type { Clock } from "#kernel/clock.ts";
import type { ImageRenderer } from "./image-renderer.ts";
import { deleteLogo, findLogo, putLogo } from "./qr.store.ts";

interface Deps {
  readonly records: Records;
  readonly renderer: ImageRenderer;
  readonly clock: Clock;
}

/** The account, and who changes its logo: `operator` or `user:<id>`. */
export interface LogoOwner {
  readonly accountId: string;
  readonly actor: string;
}

/** The logo in the center of an account's QR codes. */
export function accountLogos({ records, renderer, clock }: Deps) {
  /** Returns whether there was anything to change. */
  const change = ({ accountId, actor }: LogoOwner, action: string, work: Work): Promise<boolean> =>
    records.write(async (tx) => {
      const at = clock();
      const accountNo = await accountNumberOf(tx, accountId);
      const isChanged = await work(tx, accountNo, at);
      if (isChanged) await appendAudit(tx, { at, accountNo, actor, action, subject: accountId });
      return isChanged;
    });

  return {
    /** Throws `InvalidLogo` if the file can't be used. */
    async set(owner: LogoOwner, file: Uint8Array): Promise<void> {
      const png = await renderer.normalizeLogo(file);
      const hash = new Bun.CryptoHasher("sha256").update(png).digest("hex");
      await change(owner, "account.logo_set", async (tx, accountNo, at) => {
        await putLogo(tx, accountNo, { png, hash }, at);
        return true;
      });
    },

    /** Returns whether there was one. */
    remove: (owner: LogoOwner): Promise<boolean> =>
      change(owner, "account.logo_removed", (tx, accountNo) => deleteLogo(tx, accountNo)),

    find: (accountNo: number) => findLogo(records.read, accountNo),
  };
}
export type AccountLogos = ReturnType<typeof accountLogos>;

type Work = (tx: Sql, accountNo: number, at: number) => Promise<boolean>;
