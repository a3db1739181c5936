import { useNavigate } from "@tanstack/react-router";
import { useState } from "react";
import { useRefreshState, useWorkspace } from "#console/api/session.tsx";
import { useChange } from "#console/api/use-change.ts";
import { Button } from "#console/ui/button.tsx";
import { ConfirmDialog } from "#console/ui/confirm-dialog.tsx";
import { Badge } from "#console/ui/panel.tsx";
import { type Member, removeMember } from "#contract/console/account.ts";
import { memberTexts as texts } from "#texts/members.ts";
import { roleTexts } from "#texts/roles.ts";
import { RoleMenu } from "./role-menu.tsx";

export function MemberRow({ member }: { readonly member: Member }) {
  const { state, may } = useWorkspace();
  const isMe = member.user_id === state.session.user.id;
  // Only owners make or unmake owners.
  const mayHandle = may(member.role === "owner" ? "owner" : "admin");
  return (
    <li className="flex flex-wrap items-center justify-between gap-x-4 gap-y-2 border-line px-5 py-3.5 not-first:border-t sm:px-6">
      <div className="min-w-0 flex-1 basis-48">
        <p className="flex flex-wrap items-center gap-2">
          <span className="min-w-0 font-medium break-words">{member.name}</span>
          {isMe && <Badge tone="accent">{texts.you}</Badge>}
        </p>
        <p className="truncate text-sm text-soft">{member.email}</p>
      </div>
      <div className="flex items-center gap-2">
        {mayHandle ? <RoleMenu member={member} isMe={isMe} /> : <Badge>{roleTexts[member.role].label}</Badge>}
        {(isMe || mayHandle) && <RemoveButton member={member} isMe={isMe} />}
      </div>
    </li>
  );
}

function RemoveButton({ member, isMe }: { readonly member: Member; readonly isMe: boolean }) {
  const { account, call } = useWorkspace();
  const refresh = useRefreshState();
  const navigate = useNavigate();
  const [asking, setAsking] = useState(false);
  const removal = useChange(
    async () => {
      await call(removeMember, { params: { id: member.id } });
      if (!isMe) return;
      // The way home leads to an account that is known to be there.
      await refresh();
      await navigate({ to: "/" });
    },
    { refreshes: isMe ? [] : ["members"], inForm: true },
  );
  return (
    <>
      <Button
        look="quiet"
        size="small"
        aria-label={isMe ? texts.leaveAccount : texts.removeWho(member.name)}
        onClick={() => setAsking(true)}
      >
        {isMe ? texts.leave : texts.remove}
      </Button>
      {asking && (
        <ConfirmDialog
          title={isMe ? texts.askLeave(account.name) : texts.askRemove(member.name)}
          confirmLabel={isMe ? texts.leave : texts.remove}
          onConfirm={() => removal.mutateAsync()}
          onClose={() => setAsking(false)}
        >
          {isMe ? texts.askLeaveNote : texts.askRemoveNote(member.name)}
        </ConfirmDialog>
      )}
    </>
  );
}
