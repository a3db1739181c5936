import { useWorkspace } from "#console/api/session.tsx";
import { useAccount } from "#console/settings/use-account.ts";
import { Acknowledge } from "#console/ui/acknowledge.tsx";
import { CodeBlock } from "#console/ui/code-block.tsx";
import { DialogFooter } from "#console/ui/dialog.tsx";
import { SecretBox } from "#console/ui/secret-box.tsx";
import { tokenTexts } from "#texts/tokens.ts";

const texts = tokenTexts.shown;

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
      <p className="rounded-lg bg-warn-soft px-3 py-2 text-sm text-warn">{texts.copyNow}</p>
      <SecretBox label={texts.token} value={value} isResult />
      <div>
        <p className="mb-1.5 text-sm font-medium">{texts.tryIt}</p>
        <CodeBlock label={texts.example} code={example} />
      </div>
      {!hasApi && <p className="text-sm text-soft">{texts.noApi}</p>}
      <DialogFooter>
        <Acknowledge onDone={onClose}>{texts.saved}</Acknowledge>
      </DialogFooter>
    </div>
  );
}
