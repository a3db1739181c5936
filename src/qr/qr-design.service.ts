import { accountNumberOf } from "#accounts/get-account.ts";
import { appendAudit } from "#audit/audit.service.ts";
import type { QrDesign } from "#contract/qr.ts";
import type { Records } from "#engines/records/records.ts";
import { bodyProblem, validationFailed } from "#kernel/api-error.ts";
import type { Clock } from "#kernel/clock.ts";
import { formatColour, parseColour } from "#shared/colour.ts";
import { findContrastProblem } from "./check-contrast.ts";
import { putDesign } from "./qr.store.ts";

interface Deps {
  readonly records: Records;
  readonly clock: Clock;
}

interface Person {
  readonly accountId: string;
  readonly actor: string;
}

/** The design that the console starts an account's new QR codes with. The API knows nothing of it. */
export function qrDesigns({ records, clock }: Deps) {
  return {
    async set({ accountId, actor }: Person, design: QrDesign): Promise<void> {
      const problem = findContrastProblem(design);
      if (problem !== null) throw validationFailed([bodyProblem("color", "low_contrast", problem)]);
      await records.write(async (tx) => {
        const at = clock();
        const accountNo = await accountNumberOf(tx, accountId);
        if (!(await putDesign(tx, accountNo, JSON.stringify(canonical(design))))) return;
        await appendAudit(tx, { at, accountNo, actor, action: "account.qr_design_set", subject: accountId });
      });
    },
  };
}
export type QrDesigns = ReturnType<typeof qrDesigns>;

/** The same text for the same design, however its colors were written. */
const canonical = ({ style, color, background, logo }: QrDesign): QrDesign => ({
  style,
  color: plainColour(color),
  background: plainColour(background),
  logo,
});

const plainColour = (text: string): string => formatColour(parseColour(text)).slice(1);
