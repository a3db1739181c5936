import { useState } from "react";
import { useRefreshState, useWorkspace } from "#console/api/session.tsx";
import { Button } from "#console/ui/button.tsx";
import { ConfirmDialog } from "#console/ui/confirm-dialog.tsx";
import { Badge } from "#console/ui/panel.tsx";
import { Section } from "#console/ui/section.tsx";
import { endTwoFactor } from "#contract/console/user.ts";
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
        title="Authenticator app"
        note="With it, signing in takes your password and a code that only your phone shows."
        action={
          isOn ? (
            <div className="flex flex-wrap items-center gap-2">
              <Badge tone="good">On</Badge>
              <Button onClick={() => setOpen("codes")}>New backup codes</Button>
              <Button look="danger" onClick={() => setOpen("end")}>
                Switch off
              </Button>
            </div>
          ) : (
            <Button onClick={() => setOpen("set-up")}>Set up</Button>
          )
        }
      />
      {open === "set-up" && <TwoFactorDialog onClose={() => setOpen(null)} />}
      {open === "codes" && <RenewCodesDialog onClose={() => setOpen(null)} />}
      {open === "end" && (
        <ConfirmDialog
          title="Switch the authenticator app off?"
          confirmLabel="Switch off"
          onConfirm={async () => {
            await call(endTwoFactor);
            await refresh();
          }}
          onClose={() => setOpen(null)}
        >
          Your password alone is then enough to sign in. Your backup codes stop working, and other sessions end.
        </ConfirmDialog>
      )}
    </>
  );
}
