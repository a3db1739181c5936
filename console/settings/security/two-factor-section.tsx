import { useState } from "react";
import { useRefreshState, useWorkspace } from "#console/api/session.tsx";
import { Button } from "#console/ui/button.tsx";
import { ConfirmDialog } from "#console/ui/confirm-dialog.tsx";
import { Badge } from "#console/ui/panel.tsx";
import { Section } from "#console/ui/section.tsx";
import { endTwoFactor } from "#contract/console/user.ts";
import { securityTexts as texts } from "#texts/security.ts";
import { RenewCodesDialog } from "./renew-codes-dialog.tsx";
import { TwoFactorDialog } from "./two-factor-dialog.tsx";

export function TwoFactorSection() {
  const { state, call } = useWorkspace();
  const refresh = useRefreshState();
  const [open, setOpen] = useState<"set-up" | "codes" | "end" | null>(null);
  const isOn = state.session.user.two_factor_enabled;
  return (
    <>
      <Section
        title={texts.app}
        note={texts.appNote}
        action={
          isOn ? (
            <div className="flex flex-wrap items-center gap-2">
              <Badge tone="good">{texts.on}</Badge>
              <Button onClick={() => setOpen("codes")}>{texts.newCodes}</Button>
              <Button look="danger" onClick={() => setOpen("end")}>
                {texts.switchOff}
              </Button>
            </div>
          ) : (
            <Button onClick={() => setOpen("set-up")}>{texts.setUp}</Button>
          )
        }
      />
      {open === "set-up" && <TwoFactorDialog onClose={() => setOpen(null)} />}
      {open === "codes" && <RenewCodesDialog onClose={() => setOpen(null)} />}
      {open === "end" && (
        <ConfirmDialog
          title={texts.askSwitchOff}
          confirmLabel={texts.switchOff}
          onConfirm={async () => {
            await call(endTwoFactor);
            await refresh();
          }}
          onClose={() => setOpen(null)}
        >
          {texts.askSwitchOffNote}
        </ConfirmDialog>
      )}
    </>
  );
}
