import { useState } from "react";
import { call } from "#console/api/call.ts";
import { useConsoleState } from "#console/api/session.tsx";
import { withSudo } from "#console/api/sudo.ts";
import { DeleteUserDialog } from "#console/settings/security/delete-user-section.tsx";
import { Gate } from "#console/sign-in/gate.tsx";
import { SignOutButton } from "#console/sign-in/sign-out-button.tsx";
import { SudoPrompt } from "#console/sign-in/sudo-prompt.tsx";
import { Button } from "#console/ui/button.tsx";
import { deleteUser } from "#contract/console/user.ts";
import { appTexts as texts } from "#texts/app.ts";
import { deleteUserTexts } from "#texts/delete-user.ts";

/** For someone who has left or deleted their last account, or was removed from it. */
export function NoAccountPage() {
  const { data: state } = useConsoleState();
  const [asking, setAsking] = useState(false);
  return (
    <Gate title={texts.noAccount}>
      <p className="mb-6 text-soft">{texts.noAccountNote(state?.session?.user.email ?? "")}</p>
      <SignOutButton />
      <Button look="danger" className="mt-3 w-full" onClick={() => setAsking(true)}>
        {deleteUserTexts.delete}
      </Button>
      {asking && (
        <DeleteUserDialog remove={() => withSudo(() => call(deleteUser, {}, null))} onClose={() => setAsking(false)} />
      )}
      <SudoPrompt />
    </Gate>
  );
}
