import { type FormEvent, useState } from "react";
import { useWorkspace } from "#console/api/session.tsx";
import { useChange } from "#console/api/use-change.ts";
import { Button } from "#console/ui/button.tsx";
import { CheckRow, ChoiceGroup } from "#console/ui/check-row.tsx";
import { Dialog, DialogFooter } from "#console/ui/dialog.tsx";
import { FormError } from "#console/ui/form-error.tsx";
import { rotateWebhook, type WebhookEndpoint } from "#contract/console/webhooks.ts";
import { SecretShown } from "./secret-shown.tsx";

interface RotateDialogProps {
  readonly endpoint: WebhookEndpoint;
  readonly onClose: () => void;
}

export function RotateDialog({ endpoint, onClose }: RotateDialogProps) {
  const { call } = useWorkspace();
  const [overlap, setOverlap] = useState(true);
  const rotation = useChange(() => call(rotateWebhook, { params: { id: endpoint.id }, body: { overlap } }), {
    refreshes: ["webhooks"],
    inForm: true,
  });
  function submit(event: FormEvent): void {
    event.preventDefault();
    rotation.mutate();
  }
  return (
    <Dialog
      title={rotation.data ? "The new secret" : "Rotate the secret"}
      open
      onClose={onClose}
      size="wide"
      sticky
      locked={rotation.data !== undefined}
    >
      {rotation.data ? (
        <SecretShown secret={rotation.data.secret} onClose={onClose} />
      ) : (
        <form onSubmit={submit}>
          <ChoiceGroup legend="The old secret">
            <CheckRow
              type="radio"
              name="overlap"
              label="Signs beside the new one for 24 hours"
              note="Time to change receivers over. They must accept any of several v1 signatures."
              checked={overlap}
              onChange={() => setOverlap(true)}
            />
            <CheckRow
              type="radio"
              name="overlap"
              label="Ends at once"
              note="For secrets that have leaked. Receivers refuse deliveries until they know the new one."
              checked={!overlap}
              onChange={() => setOverlap(false)}
            />
          </ChoiceGroup>
          <FormError error={rotation.error} />
          <DialogFooter>
            <Button onClick={onClose}>Cancel</Button>
            <Button type="submit" look="primary" busy={rotation.isPending}>
              Make new secret
            </Button>
          </DialogFooter>
        </form>
      )}
    </Dialog>
  );
}
