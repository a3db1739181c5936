import { type FormEvent, useState } from "react";
import { useWorkspace } from "#console/api/session.tsx";
import { useChange } from "#console/api/use-change.ts";
import { Button } from "#console/ui/button.tsx";
import { CheckRow, ChoiceGroup } from "#console/ui/check-row.tsx";
import { Dialog, DialogFooter } from "#console/ui/dialog.tsx";
import { FormError } from "#console/ui/form-error.tsx";
import { rotateWebhook, type WebhookEndpoint } from "#contract/console/webhooks.ts";
import { deliveryTexts } from "#texts/deliveries.ts";
import { uiTexts } from "#texts/ui.ts";
import { SecretShown } from "./secret-shown.tsx";

const texts = deliveryTexts.rotate;

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
      title={rotation.data ? texts.newSecret : texts.action}
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
          <ChoiceGroup legend={texts.oldSecret}>
            <CheckRow
              type="radio"
              name="overlap"
              label={texts.keep}
              note={texts.keepNote}
              checked={overlap}
              onChange={() => setOverlap(true)}
            />
            <CheckRow
              type="radio"
              name="overlap"
              label={texts.end}
              note={texts.endNote}
              checked={!overlap}
              onChange={() => setOverlap(false)}
            />
          </ChoiceGroup>
          <FormError error={rotation.error} />
          <DialogFooter>
            <Button onClick={onClose}>{uiTexts.cancel}</Button>
            <Button type="submit" look="primary" busy={rotation.isPending}>
              {texts.action}
            </Button>
          </DialogFooter>
        </form>
      )}
    </Dialog>
  );
}
