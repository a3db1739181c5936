import { useQueryClient } from "@tanstack/react-query";
import { useNavigate } from "@tanstack/react-router";
import { useState } from "react";
import { useWorkspace } from "#console/api/session.tsx";
import { Button } from "#console/ui/button.tsx";
import { ConfirmDialog } from "#console/ui/confirm-dialog.tsx";
import { Section } from "#console/ui/section.tsx";
import { toast } from "#console/ui/toast.tsx";
import { deleteUser } from "#contract/console/user.ts";
import { deleteUserTexts as texts } from "#texts/delete-user.ts";

export function DeleteUserSection() {
  const { call } = useWorkspace();
  const [asking, setAsking] = useState(false);
  return (
    <>
      <Section
        tone="bad"
        title={texts.title}
        note={texts.note}
        action={
          <Button look="danger" onClick={() => setAsking(true)}>
            {texts.delete}
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
    toast(texts.done);
  }
  return (
    <ConfirmDialog
      title={texts.ask}
      confirmLabel={texts.forGood}
      typed={texts.typed}
      onConfirm={leave}
      onClose={onClose}
    >
      {texts.askNote}
    </ConfirmDialog>
  );
}
