import { type FormEvent, useState } from "react";
import { useWorkspace } from "#console/api/session.tsx";
import { useChange } from "#console/api/use-change.ts";
import { Button } from "#console/ui/button.tsx";
import { CheckRow, ChoiceGroup } from "#console/ui/check-row.tsx";
import { Dialog, DialogFooter } from "#console/ui/dialog.tsx";
import { TextField } from "#console/ui/field.tsx";
import { FormError, problemOf } from "#console/ui/form-error.tsx";
import { inviteMember } from "#contract/console/account.ts";
import { type Role, roles } from "#contract/roles.ts";
import { memberTexts as texts } from "#texts/members.ts";
import { roleTexts } from "#texts/roles.ts";
import { uiTexts } from "#texts/ui.ts";
import { InvitationLinkDialog } from "./invitation-link-dialog.tsx";

export function InviteDialog({ onClose }: { readonly onClose: () => void }) {
  const { state, call, may } = useWorkspace();
  const [email, setEmail] = useState("");
  const [role, setRole] = useState<Role>("member");
  const invitation = useChange(() => call(inviteMember, { body: { email: email.trim(), role } }), {
    refreshes: ["members"],
    inForm: true,
  });
  function submit(event: FormEvent): void {
    event.preventDefault();
    invitation.mutate();
  }
  const offered = roles.filter((one) => one !== "owner" || may("owner"));
  if (invitation.data) {
    return (
      <InvitationLinkDialog title={texts.ready} url={invitation.data.url} onClose={onClose}>
        {(state.sends_mail ? texts.mailSent : texts.sendYourself)(invitation.data.email)}
      </InvitationLinkDialog>
    );
  }
  return (
    <Dialog title={texts.inviteTitle} open onClose={onClose}>
      <form onSubmit={submit}>
        <div className="grid grid-cols-1 gap-5">
          <TextField
            label={texts.email}
            type="email"
            autoComplete="off"
            data-first
            required
            value={email}
            onChange={(event) => setEmail(event.target.value)}
            error={problemOf(invitation.error, "email")}
          />
          <ChoiceGroup legend={texts.role} error={problemOf(invitation.error, "role")}>
            {offered.map((one) => (
              <CheckRow
                key={one}
                type="radio"
                name="role"
                label={roleTexts[one].label}
                note={roleTexts[one].note}
                checked={one === role}
                onChange={() => setRole(one)}
              />
            ))}
          </ChoiceGroup>
        </div>
        <FormError error={invitation.error} fields={["email", "role"]} />
        <DialogFooter>
          <Button onClick={onClose}>{uiTexts.cancel}</Button>
          <Button type="submit" look="primary" busy={invitation.isPending}>
            {texts.invite}
          </Button>
        </DialogFooter>
      </form>
    </Dialog>
  );
}
