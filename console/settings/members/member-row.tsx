import { useNavigate } from "@tanstack/react-router";
import { useState } from "react";
import { useRefreshState, useWorkspace } from "#console/api/session.tsx";
import { useChange } from "#console/api/use-change.ts";
import { Button } from "#console/ui/button.tsx";
import { ConfirmDialog } from "#console/ui/confirm-dialog.tsx";
import { inputClasses } from "#console/ui/field.tsx";
import { Badge } from "#console/ui/panel.tsx";
import { toast } from "#console/ui/toast.tsx";
import { changeRole, type Member, removeMember } from "#contract/console/account.ts";
import { type Role, roles } from "#contract/roles.ts";
import { roleTexts } from "./role-texts.ts";

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
          {isMe && <Badge tone="accent">You</Badge>}
        </p>
        <p className="truncate text-sm text-soft">{member.email}</p>
      </div>
      <div className="flex items-center gap-2">
        {mayHandle ? <RoleSelect member={member} /> : <Badge>{roleTexts[member.role].label}</Badge>}
        {(isMe || mayHandle) && <RemoveButton member={member} isMe={isMe} />}
      </div>
    </li>
  );
}

function RoleSelect({ member }: { readonly member: Member }) {
  const { call, may } = useWorkspace();
  const refresh = useRefreshState();
  const change = useChange((role: Role) => call(changeRole, { params: { id: member.id }, body: { role } }), {
    refreshes: ["members"],
    onDone({ name, role }) {
      void refresh();
      toast(`${name} is now ${roleTexts[role].label.toLowerCase()}.`);
    },
  });
  const offered = roles.filter((role) => role !== "owner" || may("owner"));
  return (
    <select
      aria-label={`Role of ${member.name}`}
      value={member.role}
      disabled={change.isPending}
      onChange={(event) => change.mutate(roles.find((role) => role === event.target.value) ?? member.role)}
      className={`${inputClasses} h-8! w-auto! text-sm`}
    >
      {offered.map((role) => (
        <option key={role} value={role}>
          {roleTexts[role].label}
        </option>
      ))}
    </select>
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
        aria-label={isMe ? "Leave the account" : `Remove ${member.name}`}
        onClick={() => setAsking(true)}
      >
        {isMe ? "Leave" : "Remove"}
      </Button>
      {asking && (
        <ConfirmDialog
          title={isMe ? `Leave ${account.name}?` : `Remove ${member.name}?`}
          confirmLabel={isMe ? "Leave" : "Remove"}
          onConfirm={() => removal.mutateAsync()}
          onClose={() => setAsking(false)}
        >
          {isMe
            ? "You no longer see its links and reports. To come back you need an invitation."
            : `${member.name} loses access at once. Links and tokens that they made stay.`}
        </ConfirmDialog>
      )}
    </>
  );
}
