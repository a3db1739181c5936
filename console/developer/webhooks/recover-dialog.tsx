import { type FormEvent, useState } from "react";
import { useWorkspace } from "#console/api/session.tsx";
import { useChange } from "#console/api/use-change.ts";
import { Button } from "#console/ui/button.tsx";
import { Dialog, DialogFooter } from "#console/ui/dialog.tsx";
import { SelectField } from "#console/ui/field.tsx";
import { FormError } from "#console/ui/form-error.tsx";
import { plural } from "#console/ui/format.ts";
import { toast } from "#console/ui/toast.tsx";
import { recoverWebhook, type WebhookEndpoint } from "#contract/console/webhooks.ts";

const HOUR_MS = 3_600_000;
const spans = [
  { hours: 1, label: "The last hour" },
  { hours: 24, label: "The last day" },
  { hours: 24 * 7, label: "The last seven days" },
  { hours: 24 * 30, label: "The last thirty days" },
] as const;

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
        toast(
          deliveries === 0
            ? "Nothing has failed in that time."
            : `${plural(deliveries, "delivery", "deliveries")} on the way.`,
        );
      },
    },
  );
  function submit(event: FormEvent): void {
    event.preventDefault();
    recovery.mutate();
  }
  return (
    <Dialog title="Send failed deliveries again" open onClose={onClose}>
      <form onSubmit={submit}>
        <SelectField
          label="That happened in"
          hint="Each goes out under its old id, so that receivers can tell what they know already."
          value={String(hours)}
          onChange={(event) => setHours(Number(event.target.value))}
        >
          {spans.map((span) => (
            <option key={span.hours} value={span.hours}>
              {span.label}
            </option>
          ))}
        </SelectField>
        <FormError error={recovery.error} />
        <DialogFooter>
          <Button onClick={onClose}>Cancel</Button>
          <Button type="submit" look="primary" busy={recovery.isPending}>
            Send again
          </Button>
        </DialogFooter>
      </form>
    </Dialog>
  );
}
