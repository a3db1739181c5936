import { useMutation } from "@tanstack/react-query";
import { useState } from "react";
import { useRefreshState, useWorkspace } from "#console/api/session.tsx";
import { Button } from "#console/ui/button.tsx";
import { Dialog, DialogFooter } from "#console/ui/dialog.tsx";
import { FormError } from "#console/ui/form-error.tsx";
import { startTwoFactor } from "#contract/console/user.ts";
import { securityTexts as texts } from "#texts/security.ts";
import { BackupCodes } from "./backup-codes.tsx";
import { TwoFactorForm } from "./two-factor-form.tsx";

/** Three steps: why, the app, the backup codes. Nothing is asked for at sign-in before the second is done. */
export function TwoFactorDialog({ onClose }: { readonly onClose: () => void }) {
  const { call } = useWorkspace();
  const refresh = useRefreshState();
  const [isConfirmed, setConfirmed] = useState(false);
  const start = useMutation({ mutationFn: () => call(startTwoFactor) });
  function leave(): void {
    onClose();
    if (isConfirmed) void refresh();
  }
  return (
    <Dialog title={isConfirmed ? texts.yourCodes : texts.setUpTitle} open onClose={leave} sticky locked={isConfirmed}>
      {!start.data && (
        <>
          <p className="text-soft">{texts.setUpNote}</p>
          <FormError error={start.error} />
          <DialogFooter>
            <Button onClick={onClose}>{texts.cancel}</Button>
            <Button look="primary" busy={start.isPending} onClick={() => start.mutate()}>
              {texts.continue}
            </Button>
          </DialogFooter>
        </>
      )}
      {start.data && !isConfirmed && (
        <TwoFactorForm
          uri={start.data.uri}
          secret={start.data.secret}
          onConfirmed={() => setConfirmed(true)}
          onClose={onClose}
        />
      )}
      {start.data && isConfirmed && <BackupCodes codes={start.data.backup_codes} onClose={leave} />}
    </Dialog>
  );
}
