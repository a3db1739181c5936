import { useQuery } from "@tanstack/react-query";
import { type FormEvent, useState } from "react";
import { useWorkspace } from "#console/api/session.tsx";
import { useChange } from "#console/api/use-change.ts";
import { Button } from "#console/ui/button.tsx";
import { CheckRow, ChoiceGroup } from "#console/ui/check-row.tsx";
import { Dialog, DialogFooter } from "#console/ui/dialog.tsx";
import { FormError } from "#console/ui/form-error.tsx";
import { plural } from "#console/ui/format.ts";
import { countWaiting, enableWebhook, type WebhookEndpoint } from "#contract/console/webhooks.ts";

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
    <Dialog title="Switch the endpoint on" open onClose={onClose}>
      <form onSubmit={submit}>
        <ChoiceGroup legend={waitingText(waiting?.deliveries)}>
          <CheckRow
            type="radio"
            name="missed"
            label="Send what was missed"
            note="As soon as it is on; nothing that waits is older than seven days."
            checked={sendMissed}
            onChange={() => setSendMissed(true)}
          />
          <CheckRow
            type="radio"
            name="missed"
            label="Begin with what happens next"
            note="What waits is given up; it can still be sent again from the log."
            checked={!sendMissed}
            onChange={() => setSendMissed(false)}
          />
        </ChoiceGroup>
        <FormError error={enabling.error} />
        <DialogFooter>
          <Button onClick={onClose}>Cancel</Button>
          <Button type="submit" look="primary" busy={enabling.isPending}>
            Switch on
          </Button>
        </DialogFooter>
      </form>
    </Dialog>
  );
}

function waitingText(deliveries: number | undefined): string {
  if (deliveries === undefined) return "What waits for it since it was switched off";
  if (deliveries === 0) return "Nothing waits for it";
  return `${plural(deliveries, "delivery", "deliveries")} ${deliveries === 1 ? "waits" : "wait"} for it`;
}
