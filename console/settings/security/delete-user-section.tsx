import { useQueryClient } from "@tanstack/react-query";
import { useNavigate } from "@tanstack/react-router";
import { useState } from "react";
import { useWorkspace } from "#console/api/session.tsx";
import { Button } from "#console/ui/button.tsx";
import { ConfirmDialog } from "#console/ui/confirm-dialog.tsx";
import { Section } from "#console/ui/section.tsx";
import { toast } from "#console/ui/toast.tsx";
import { deleteUser } from "#contract/console/user.ts";

export function DeleteUserSection() {
  const { call } = useWorkspace();
  const [asking, setAsking] = useState(false);
  return (
    <>
      <Section
        tone="bad"
        title="Delete your profile"
        note="You leave every account, and your name and e-mail address are erased. Accounts and their links stay."
        action={
          <Button look="danger" onClick={() => setAsking(true)}>
            Delete profile
          </Button>
        }
      />
      {asking && <DeleteUserDialog remove={() => call(deleteUser)} onClose={() => setAsking(false)} />}
    </>
  );
}

interface DeleteUserDialogProps {
  readonly remove: () => Promise<unknown>;
  readonly onClose: () => void;
}

export function DeleteUserDialog({ remove, onClose }: DeleteUserDialogProps) {
  const client = useQueryClient();
  const navigate = useNavigate();
  async function leave(): Promise<void> {
    await remove();
    await client.resetQueries();
    await navigate({ to: "/sign-in", replace: true });
    toast("Your profile was deleted.");
  }
  return (
    <ConfirmDialog
      title="Delete your profile?"
      confirmLabel="Delete for good"
      typed="delete my profile"
      onConfirm={leave}
      onClose={onClose}
    >
      You’ll be signed out everywhere, and this can’t be undone. If you’re the only owner of an account, make someone
      else an owner or delete the account first.
    </ConfirmDialog>
  );
}
