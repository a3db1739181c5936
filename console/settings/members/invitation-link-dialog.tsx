import type { ReactNode } from "react";
import { Button } from "#console/ui/button.tsx";
import { Dialog, DialogFooter } from "#console/ui/dialog.tsx";
import { SecretBox } from "#console/ui/secret-box.tsx";
import { memberTexts as texts } from "#texts/members.ts";

interface InvitationLinkDialogProps {
  readonly title: string;
  readonly url: string;
  readonly onClose: () => void;
  readonly children: ReactNode;
}

/** The link of an invitation, to be copied and handed over. */
export function InvitationLinkDialog({ title, url, onClose, children }: InvitationLinkDialogProps) {
  return (
    <Dialog title={title} open onClose={onClose}>
      <p className="mb-4 text-soft">{children}</p>
      <SecretBox label={texts.link} value={url} isResult />
      <DialogFooter>
        <Button look="primary" onClick={onClose}>
          {texts.done}
        </Button>
      </DialogFooter>
    </Dialog>
  );
}
