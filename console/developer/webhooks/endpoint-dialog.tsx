import { useState } from "react";
import { Dialog } from "#console/ui/dialog.tsx";
import type { WebhookEndpoint } from "#contract/console/webhooks.ts";
import { webhookTexts } from "#texts/webhooks.ts";
import { EndpointForm } from "./endpoint-form.tsx";
import { SecretShown } from "./secret-shown.tsx";

const texts = webhookTexts.form;

interface EndpointDialogProps {
  readonly endpoint: WebhookEndpoint | null;
  readonly onClose: () => void;
}

/** Adds an endpoint and then shows its secret, or changes one. */
export function EndpointDialog({ endpoint, onClose }: EndpointDialogProps) {
  const [secret, setSecret] = useState<string | null>(null);
  const title = secret !== null ? texts.secretTitle : endpoint ? texts.edit : texts.add;
  return (
    <Dialog title={title} open onClose={onClose} size="wide" sticky locked={secret !== null}>
      {secret !== null ? (
        <SecretShown secret={secret} onClose={onClose} />
      ) : (
        <EndpointForm
          endpoint={endpoint}
          onClose={onClose}
          onDone={(shown) => (shown === null ? onClose() : setSecret(shown))}
        />
      )}
    </Dialog>
  );
}
