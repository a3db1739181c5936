import { useWorkspace } from "#console/api/session.tsx";
import { useChange } from "#console/api/use-change.ts";
import { Button } from "#console/ui/button.tsx";
import { Dialog, DialogFooter } from "#console/ui/dialog.tsx";
import { FormError } from "#console/ui/form-error.tsx";
import { renewBackupCodes } from "#contract/console/user.ts";
import { securityTexts as texts } from "#texts/security.ts";
import { BackupCodes } from "./backup-codes.tsx";

export function RenewCodesDialog({ onClose }: { readonly onClose: () => void }) {
  const { call } = useWorkspace();
  const renewal = useChange(() => call(renewBackupCodes), { refreshes: ["sessions"], inForm: true });
  const codes = renewal.data?.backup_codes;
  return (
    <Dialog title={codes ? texts.yourNewCodes : texts.askNewCodes} open onClose={onClose} locked={!!codes}>
      {codes ? (
        <BackupCodes codes={codes} onClose={onClose} />
      ) : (
        <>
          <p className="text-soft">{texts.askNewCodesNote}</p>
          <FormError error={renewal.error} />
          <DialogFooter>
            <Button onClick={onClose}>{texts.cancel}</Button>
            <Button look="primary" busy={renewal.isPending} onClick={() => renewal.mutate()}>
              {texts.makeNewCodes}
            </Button>
          </DialogFooter>
        </>
      )}
    </Dialog>
  );
}
