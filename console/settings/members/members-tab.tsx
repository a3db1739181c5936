import { useQuery } from "@tanstack/react-query";
import { UserPlus } from "lucide-react";
import { useWorkspace } from "#console/api/session.tsx";
import { useNewDialog } from "#console/app/new-dialog.ts";
import { Button } from "#console/ui/button.tsx";
import { Loaded } from "#console/ui/loaded.tsx";
import { Section } from "#console/ui/section.tsx";
import { listMembers } from "#contract/console/account.ts";
import { roles } from "#contract/roles.ts";
import { memberTexts as texts } from "#texts/members.ts";
import { roleTexts } from "#texts/roles.ts";
import { InvitationRow } from "./invitation-row.tsx";
import { InviteDialog } from "./invite-dialog.tsx";
import { MemberRow } from "./member-row.tsx";

export function MembersTab() {
  const { account, call, may } = useWorkspace();
  const inviting = useNewDialog();
  const query = useQuery({ queryKey: ["members", account.id], queryFn: () => call(listMembers) });
  return (
    <>
      <Section
        title={texts.title}
        note={may("admin") ? undefined : texts.onlyAdmins}
        action={
          may("admin") && (
            <Button look="primary" onClick={inviting.open}>
              <UserPlus className="size-4" aria-hidden />
              {texts.invite}
            </Button>
          )
        }
        flush
      >
        <Loaded query={query}>
          {({ members }) => (
            <ul aria-label={texts.title}>
              {members.map((member) => (
                <MemberRow key={member.id} member={member} />
              ))}
            </ul>
          )}
        </Loaded>
      </Section>
      {query.data && query.data.invitations.length > 0 && (
        <Section title={texts.invitations} note={texts.invitationsNote} flush>
          <ul aria-label={texts.invitations}>
            {query.data.invitations.map((invitation) => (
              <InvitationRow key={invitation.id} invitation={invitation} />
            ))}
          </ul>
        </Section>
      )}
      <Section title={texts.rolesTitle}>
        <dl className="grid grid-cols-1 gap-3 text-sm sm:grid-cols-[6rem_1fr]">
          {roles.map((role) => (
            <div key={role} className="contents">
              <dt className="font-medium">{roleTexts[role].label}</dt>
              <dd className="text-soft max-sm:-mt-2">{roleTexts[role].note}</dd>
            </div>
          ))}
        </dl>
      </Section>
      {inviting.isOpen && may("admin") && <InviteDialog onClose={inviting.close} />}
    </>
  );
}
