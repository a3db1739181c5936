import { Acknowledge } from "#console/ui/acknowledge.tsx";
import { CodeBlock } from "#console/ui/code-block.tsx";
import { DialogFooter } from "#console/ui/dialog.tsx";
import { SecretBox } from "#console/ui/secret-box.tsx";
import { webhookTexts } from "#texts/webhooks.ts";

const texts = webhookTexts.secret;

interface SecretShownProps {
  readonly secret: string;
  readonly onClose: () => void;
}

const example = `import { verifyWebhook } from "@kurz/sdk";

const event = await verifyWebhook(
  await request.arrayBuffer(),
  request.headers,
  process.env.WEBHOOK_SECRET,
);`;

export const SecretShown = ({ secret, onClose }: SecretShownProps) => (
  <div className="grid grid-cols-1 gap-5">
    <p className="rounded-lg bg-warn-soft px-3 py-2 text-sm text-warn">{texts.copyNow}</p>
    <SecretBox label={texts.label} value={secret} isResult />
    <div>
      <p className="mb-1.5 text-sm font-medium">{texts.check}</p>
      <CodeBlock label={texts.example} code={example} />
    </div>
    <DialogFooter>
      <Acknowledge onDone={onClose}>{texts.saved}</Acknowledge>
    </DialogFooter>
  </div>
);
