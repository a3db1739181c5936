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
import { memberTexts as texts } from "#texts/members.ts";
import { roleTexts } from "#texts/roles.ts";

/** Someone's role and the others they may have. Anyone who would lose rights of their own is asked first. */
export function RoleMenu({ member, isMe }: { readonly member: Member; readonly isMe: boolean }) {
  const { account, call, may } = useWorkspace();
  const refresh = useRefreshState();
  const [asking, setAsking] = useState<Role | null>(null);
  const change = useChange((role: Role) => call(changeRole, { params: { id: member.id }, body: { role } }), {
    refreshes: ["members"],
    inForm: isMe,
    onDone({ name, role }) {
      void refresh();
      toast(texts.roleChanged(name, roleTexts[role].name));
    },
  });
  function choose(role: Role): void {
    if (role === member.role) return;
    if (isMe) setAsking(role);
    else change.mutate(role);
  }
  const { label, name: roleName } = roleTexts[member.role];
  return (
    <>
      <Menu
        label={texts.roleOf(member.name)}
        trigger={
          <Button size="small" aria-label={texts.roleOfIs(member.name, label)} busy={change.isPending}>
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
          title={texts.askBecome(roleTexts[asking].name)}
          confirmLabel={texts.changeMyRole}
          onConfirm={() => change.mutateAsync(asking)}
          onClose={() => setAsking(null)}
        >
          {texts.askBecomeNote(account.name, roleName)}
        </ConfirmDialog>
      )}
    </>
  );
}
