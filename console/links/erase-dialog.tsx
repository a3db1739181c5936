import { ConfirmDialog } from "#console/ui/confirm-dialog.tsx";

interface EraseDialogProps {
  /** As in "Delete 3 links for good?" */
  readonly what: string;
  readonly count: number;
  readonly onConfirm: () => Promise<unknown>;
  readonly onClose: () => void;
}

/** Asks before links leave the trash for good. */
export const EraseDialog = ({ what, count, onConfirm, onClose }: EraseDialogProps) => (
  <ConfirmDialog
    title={`Delete ${what} for good?`}
    confirmLabel="Delete for good"
    onConfirm={onConfirm}
    onClose={onClose}
  >
    {count === 1
      ? "The link and its clicks are erased, and nobody can bring them back. Its address stays taken."
      : "The links and their clicks are erased, and nobody can bring them back. Their addresses stay taken."}
  </ConfirmDialog>
);
