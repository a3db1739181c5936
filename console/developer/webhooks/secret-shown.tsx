import { Acknowledge } from "#console/ui/acknowledge.tsx";
import { CodeBlock } from "#console/ui/code-block.tsx";
import { DialogFooter } from "#console/ui/dialog.tsx";
import { SecretBox } from "#console/ui/secret-box.tsx";

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
    <p className="rounded-lg bg-warn-soft px-3 py-2 text-sm text-warn">
      Copy it now: it won’t be shown again. Receivers use it to check that a delivery really comes from here.
    </p>
    <SecretBox label="Signing secret" value={secret} isResult />
    <div>
      <p className="mb-1.5 text-sm font-medium">Check a delivery</p>
      <CodeBlock label="Verification example" code={example} />
    </div>
    <DialogFooter>
      <Acknowledge onDone={onClose}>I’ve saved it</Acknowledge>
    </DialogFooter>
  </div>
);
