import { ConfirmDialog } from "#console/ui/confirm-dialog.tsx";
import { eraseTexts as texts } from "#texts/link-erase.ts";

interface EraseDialogProps {
  /** As in "Delete 3 links for good?" */
  readonly what: string;
  readonly count: number;
  readonly onConfirm: () => Promise<unknown>;
  readonly onClose: () => void;
}

/** Asks before links leave the trash for good. */
export const EraseDialog = ({ what, count, onConfirm, onClose }: EraseDialogProps) => (
  <ConfirmDialog title={texts.title(what)} confirmLabel={texts.confirm} onConfirm={onConfirm} onClose={onClose}>
    {count === 1 ? texts.one : texts.many}
  </ConfirmDialog>
);
