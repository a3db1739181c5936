import { type FormEvent, useState } from "react";
import { useWorkspace } from "#console/api/session.tsx";
import { useChange } from "#console/api/use-change.ts";
import { Button } from "#console/ui/button.tsx";
import { Dialog, DialogFooter } from "#console/ui/dialog.tsx";
import { SelectField } from "#console/ui/field.tsx";
import { FormError } from "#console/ui/form-error.tsx";
import { toast } from "#console/ui/toast.tsx";
import { recoverWebhook, type WebhookEndpoint } from "#contract/console/webhooks.ts";
import { deliveryTexts } from "#texts/deliveries.ts";
import { uiTexts } from "#texts/ui.ts";

const HOUR_MS = 3_600_000;
const spans = [1, 24, 168, 720] as const;
const texts = deliveryTexts.recover;

interface RecoverDialogProps {
  readonly endpoint: WebhookEndpoint;
  readonly onClose: () => void;
}

/** Sends everything again that failed, as after an outage of the receiver. */
export function RecoverDialog({ endpoint, onClose }: RecoverDialogProps) {
  const { call } = useWorkspace();
  const [hours, setHours] = useState(24);
  const recovery = useChange(
    () => {
      const since = new Date(Date.now() - hours * HOUR_MS).toISOString();
      return call(recoverWebhook, { params: { id: endpoint.id }, body: { since } });
    },
    {
      refreshes: ["deliveries", "webhooks"],
      inForm: true,
      onDone({ deliveries }) {
        onClose();
        toast(texts.done(deliveries));
      },
    },
  );
  function submit(event: FormEvent): void {
    event.preventDefault();
    recovery.mutate();
  }
  return (
    <Dialog title={texts.action} open onClose={onClose}>
      <form onSubmit={submit}>
        <SelectField
          label={texts.span}
          hint={texts.hint}
          value={String(hours)}
          onChange={(event) => setHours(Number(event.target.value))}
        >
          {spans.map((span) => (
            <option key={span} value={span}>
              {texts.spans[span]}
            </option>
          ))}
        </SelectField>
        <FormError error={recovery.error} />
        <DialogFooter>
          <Button onClick={onClose}>{uiTexts.cancel}</Button>
          <Button type="submit" look="primary" busy={recovery.isPending}>
            {texts.resend}
          </Button>
        </DialogFooter>
      </form>
    </Dialog>
  );
}
