import { type FormEvent, useState } from "react";
import { useWorkspace } from "#console/api/session.tsx";
import { useChange } from "#console/api/use-change.ts";
import { Button } from "#console/ui/button.tsx";
import { DialogFooter } from "#console/ui/dialog.tsx";
import { TextField } from "#console/ui/field.tsx";
import { FormError, problemOf } from "#console/ui/form-error.tsx";
import { createWebhook, updateWebhook, type WebhookEndpoint } from "#contract/console/webhooks.ts";
import { type ChosenEvent, defaultEvents } from "#contract/webhooks.ts";
import { uiTexts } from "#texts/ui.ts";
import { webhookTexts } from "#texts/webhooks.ts";
import { EventChoice } from "./event-choice.tsx";

const texts = webhookTexts.form;

const fields = ["url", "events", "description"];

interface EndpointFormProps {
  /** `null` for a new one. */
  readonly endpoint: WebhookEndpoint | null;
  readonly onClose: () => void;
  /** The secret of a new endpoint; nothing for one that was changed. */
  readonly onDone: (secret: string | null) => void;
}

export function EndpointForm({ endpoint, onClose, onDone }: EndpointFormProps) {
  const { call } = useWorkspace();
  const [url, setUrl] = useState(endpoint?.url ?? "");
  const [description, setDescription] = useState(endpoint?.description ?? "");
  const [events, setEvents] = useState<readonly ChosenEvent[]>(endpoint?.events ?? defaultEvents);
  const saving = useChange(
    async () => {
      const text = description.trim();
      const body = { url: url.trim(), events: [...events], description: text === "" ? null : text };
      if (!endpoint) return (await call(createWebhook, { body })).secret;
      await call(updateWebhook, { params: { id: endpoint.id }, body });
      return null;
    },
    { refreshes: ["webhooks", "account"], onDone, inForm: true },
  );
  function submit(event: FormEvent): void {
    event.preventDefault();
    saving.mutate();
  }
  return (
    <form onSubmit={submit} noValidate>
      <div className="grid grid-cols-1 gap-5">
        <TextField
          label={texts.address}
          type="url"
          inputMode="url"
          placeholder="https://example.com/hooks/kurz"
          hint={texts.addressHint}
          autoComplete="off"
          data-first
          required
          value={url}
          onChange={(event) => setUrl(event.target.value)}
          error={problemOf(saving.error, "url")}
        />
        <TextField
          label={texts.description}
          aside={texts.optional}
          autoComplete="off"
          maxLength={255}
          value={description}
          onChange={(event) => setDescription(event.target.value)}
          error={problemOf(saving.error, "description")}
        />
        <EventChoice events={events} onChange={setEvents} error={problemOf(saving.error, "events")} />
      </div>
      <FormError error={saving.error} fields={fields} />
      <DialogFooter>
        <Button onClick={onClose}>{uiTexts.cancel}</Button>
        <Button type="submit" look="primary" busy={saving.isPending} disabled={events.length === 0}>
          {endpoint ? texts.save : texts.add}
        </Button>
      </DialogFooter>
    </form>
  );
}
