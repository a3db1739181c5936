import { ChevronDown } from "lucide-react";
import { useState } from "react";
import { useRefreshState, useWorkspace } from "#console/api/session.tsx";
import { useChange } from "#console/api/use-change.ts";
import { Button } from "#console/ui/button.tsx";
import { ConfirmDialog } from "#console/ui/confirm-dialog.tsx";
import { Menu, MenuItem } from "#console/ui/menu.tsx";
import { toast } from "#console/ui/toast.tsx";
import { changeRole, type Member } from "#contract/console/account.ts";
import { type Role, roles } from "#contract/roles.ts";
import { roleTexts } from "#texts/roles.ts";

/** Someone's role and the others they may have. Whoever would lose rights of their own is asked first. */
export function RoleMenu({ member, isMe }: { readonly member: Member; readonly isMe: boolean }) {
  const { account, call, may } = useWorkspace();
  const refresh = useRefreshState();
  const [asking, setAsking] = useState<Role | null>(null);
  const change = useChange((role: Role) => call(changeRole, { params: { id: member.id }, body: { role } }), {
    refreshes: ["members"],
    inForm: isMe,
    onDone({ name, role }) {
      void refresh();
      toast(`${name} is now ${roleTexts[role].label.toLowerCase()}.`);
    },
  });
  function choose(role: Role): void {
    if (role === member.role) return;
    if (isMe) setAsking(role);
    else change.mutate(role);
  }
  const { label } = roleTexts[member.role];
  return (
    <>
      <Menu
        label={`Role of ${member.name}`}
        trigger={
          <Button size="small" aria-label={`Role of ${member.name}: ${label}`} busy={change.isPending}>
            {label}
            <ChevronDown className="size-4 text-faint" aria-hidden />
          </Button>
        }
      >
        {roles
          .filter((role) => role !== "owner" || may("owner"))
          .map((role) => (
            <MenuItem key={role} chosen={role === member.role} onSelect={() => choose(role)}>
              {roleTexts[role].label}
            </MenuItem>
          ))}
      </Menu>
      {asking && (
        <ConfirmDialog
          title={`Become ${roleTexts[asking].label.toLowerCase()}?`}
          confirmLabel="Change my role"
          onConfirm={() => change.mutateAsync(asking)}
          onClose={() => setAsking(null)}
        >
          You give up what you may do in {account.name} as {label.toLowerCase()}. Only others can give it back to you.
        </ConfirmDialog>
      )}
    </>
  );
}
