import { useWorkspace } from "#console/api/session.tsx";
import { useChange } from "#console/api/use-change.ts";
import { Button } from "#console/ui/button.tsx";
import { When } from "#console/ui/when.tsx";
import { cancelInvitation, getInvitationLink, type PendingInvitation } from "#contract/console/account.ts";
import { memberTexts as texts } from "#texts/members.ts";
import { roleTexts } from "#texts/roles.ts";
import { InvitationLinkDialog } from "./invitation-link-dialog.tsx";

export function InvitationRow({ invitation }: { readonly invitation: PendingInvitation }) {
  const { call } = useWorkspace();
  const { id, email, role, expires_at } = invitation;
  const cancellation = useChange(() => call(cancelInvitation, { params: { id } }), { refreshes: ["members"] });
  const link = useChange(() => call(getInvitationLink, { params: { id } }), { refreshes: [] });
  return (
    <li className="flex flex-wrap items-center justify-between gap-x-4 gap-y-2 border-line px-5 py-3.5 not-first:border-t sm:px-6">
      <div className="min-w-0 flex-1 basis-48">
        <p className="truncate font-medium">{email}</p>
        <p className="text-sm text-soft">
          {roleTexts[role].label} · <When said={texts.expires} instant={expires_at} exact />
        </p>
      </div>
      <div className="flex gap-2">
        <Button size="small" aria-label={texts.showLinkFor(email)} busy={link.isPending} onClick={() => link.mutate()}>
          {texts.showLink}
        </Button>
        <Button
          look="quiet"
          size="small"
          aria-label={texts.cancelInvitation(email)}
          busy={cancellation.isPending}
          onClick={() => cancellation.mutate()}
        >
          {texts.cancel}
        </Button>
      </div>
      {link.data && (
        <InvitationLinkDialog title={texts.link} url={link.data.url} onClose={link.reset}>
          {texts.linkNote(email)}
        </InvitationLinkDialog>
      )}
    </li>
  );
}
