import { useQuery } from "@tanstack/react-query";
import { type FormEvent, useState } from "react";
import { useWorkspace } from "#console/api/session.tsx";
import { useChange } from "#console/api/use-change.ts";
import { Button } from "#console/ui/button.tsx";
import { CheckRow, ChoiceGroup } from "#console/ui/check-row.tsx";
import { Dialog, DialogFooter } from "#console/ui/dialog.tsx";
import { FormError } from "#console/ui/form-error.tsx";
import { countWaiting, enableWebhook, type WebhookEndpoint } from "#contract/console/webhooks.ts";
import { deliveryTexts } from "#texts/deliveries.ts";
import { uiTexts } from "#texts/ui.ts";

const texts = deliveryTexts.enable;

interface EnableDialogProps {
  readonly endpoint: WebhookEndpoint;
  readonly onClose: () => void;
}

/** Switches an endpoint on, and asks what becomes of what it has missed. */
export function EnableDialog({ endpoint, onClose }: EnableDialogProps) {
  const { account, call } = useWorkspace();
  const { data: waiting } = useQuery({
    queryKey: ["deliveries", account.id, "waiting", endpoint.id],
    queryFn: () => call(countWaiting, { params: { id: endpoint.id } }),
  });
  const [sendMissed, setSendMissed] = useState(true);
  const enabling = useChange(
    () => call(enableWebhook, { params: { id: endpoint.id }, body: { send_missed: sendMissed } }),
    { refreshes: ["webhooks", "deliveries"], onDone: onClose, inForm: true },
  );
  function submit(event: FormEvent): void {
    event.preventDefault();
    enabling.mutate();
  }
  return (
    <Dialog title={texts.title} open onClose={onClose}>
      <form onSubmit={submit}>
        <ChoiceGroup legend={waiting ? texts.waiting(waiting.deliveries) : texts.unknown}>
          <CheckRow
            type="radio"
            name="missed"
            label={texts.sendMissed}
            note={texts.sendMissedNote}
            checked={sendMissed}
            onChange={() => setSendMissed(true)}
          />
          <CheckRow
            type="radio"
            name="missed"
            label={texts.startFresh}
            note={texts.startFreshNote}
            checked={!sendMissed}
            onChange={() => setSendMissed(false)}
          />
        </ChoiceGroup>
        <FormError error={enabling.error} />
        <DialogFooter>
          <Button onClick={onClose}>{uiTexts.cancel}</Button>
          <Button type="submit" look="primary" busy={enabling.isPending}>
            {deliveryTexts.switchOn}
          </Button>
        </DialogFooter>
      </form>
    </Dialog>
  );
}
