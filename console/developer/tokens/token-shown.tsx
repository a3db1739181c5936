import { useWorkspace } from "#console/api/session.tsx";
import { useAccount } from "#console/settings/use-account.ts";
import { Acknowledge } from "#console/ui/acknowledge.tsx";
import { CodeBlock } from "#console/ui/code-block.tsx";
import { DialogFooter } from "#console/ui/dialog.tsx";
import { SecretBox } from "#console/ui/secret-box.tsx";

interface TokenShownProps {
  readonly value: string;
  readonly onClose: () => void;
}

export function TokenShown({ value, onClose }: TokenShownProps) {
  const { state } = useWorkspace();
  const { data: account } = useAccount();
  const hasApi = account?.plan.features.api_access ?? true;
  const example = `curl ${state.base_url}/api/v1/me \\\n  -H "Authorization: Bearer ${value}"`;
  return (
    <div className="grid grid-cols-1 gap-5">
      <p className="rounded-lg bg-warn-soft px-3 py-2 text-sm text-warn">
        Copy it now: it isn’t stored and won’t be shown again. Keep it like a password.
      </p>
      <SecretBox label="Token" value={value} isResult />
      <div>
        <p className="mb-1.5 text-sm font-medium">Try it</p>
        <CodeBlock label="Example call" code={example} />
      </div>
      {!hasApi && (
        <p className="text-sm text-soft">The plan of this account has no API access, so the API refuses it for now.</p>
      )}
      <DialogFooter>
        <Acknowledge onDone={onClose}>I’ve saved it</Acknowledge>
      </DialogFooter>
    </div>
  );
}
